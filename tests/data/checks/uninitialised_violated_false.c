// expect: false
// checks: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int best;
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x > 10)
            best = x;
    }
    if (best > 0)
        return 1;
    return 0;
}
