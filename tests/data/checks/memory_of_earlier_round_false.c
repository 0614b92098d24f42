// expect: false
// checks: memory
// harness: the same place is used again, so that the sanitizer sees nothing
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *last = 0;
    unsigned rounds = 0;
    while (__VERIFIER_nondet_int()) {
        int x = 0;
        rounds++;
        if (last && rounds == 4)
            *last = 1;
        last = &x;
    }
    return 0;
}
