// expect: false
// checks: overflow
// A negative number that is shifted leaves its type as others do.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > -1000 || n < -1100)
        return 0;
    return n << (n & 31);
}
