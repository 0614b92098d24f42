// expect: true
// checks: call
extern int __VERIFIER_nondet_int(void);

static int next(int x)
{
    return x < 100 ? x + 1 : 0;
}

int main(void)
{
    int (*operation)(int) = 0;
    int ready = 0, x = 0;
    while (__VERIFIER_nondet_int()) {
        if (ready)
            x = operation(x);
        if (__VERIFIER_nondet_int()) {
            operation = next;
            ready = 1;
        }
    }
    return x;
}
