// expect: false
// checks: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    switch (__VERIFIER_nondet_int()) {
        int x;
    case 0:
        x = 1;
    case 1:
        if (x > 0)
            return 1;
    }
    return 0;
}
