// expect: true
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int() & 1;
    if (x == 3)
        __builtin_trap();
    return 0;
}
