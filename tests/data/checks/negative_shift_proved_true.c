// expect: true
// checks: shift+negative
// To the right, negative numbers may be shifted.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return -4 >> 1;
    return n << 2;
}
