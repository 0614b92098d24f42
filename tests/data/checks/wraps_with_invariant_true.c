// expect: true
// checks: unsigned-overflow
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned used = 0, space = 100;
    while (__VERIFIER_nondet_int())
        if (used < space)
            used++;
    return space - used;
}
