// The same bits as numbers with a sign and without one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = -1;
    unsigned y = -1;
    if (__VERIFIER_nondet_int()) {
        x = -2;
        y = -2;
        if (__VERIFIER_nondet_int()) {
            x = -3;
            y = -3;
            if (__VERIFIER_nondet_int()) {
                x = -4;
                y = -4;
                if (__VERIFIER_nondet_int()) {
                    x = -5;
                    y = -5;
                    if (__VERIFIER_nondet_int()) {
                        x = -6;
                        y = -6;
                        if (__VERIFIER_nondet_int()) {
                            x = -7;
                            y = -7;
                        }
                    }
                }
            }
        }
    }
    while (__VERIFIER_nondet_int()) {
    }
    if (y > 5) {
        while (__VERIFIER_nondet_int()) {
        }
        return x;
    }
    return 0;
}
