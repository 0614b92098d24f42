// expect: true
// k-induction: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// Each round counts one of three, so together they are the number of rounds.
int main(void)
{
    int n = __VERIFIER_nondet_int(), a = 0, b = 0, c = 0;
    if (n < 0 || n > 100000)
        return 0;
    for (int i = 0; i < n; i++) {
        int kind = __VERIFIER_nondet_int();
        if (kind == 0)
            a++;
        else if (kind == 1)
            b++;
        else
            c++;
    }
    if (a + b + c != n)
        reach_error();
    return 0;
}
