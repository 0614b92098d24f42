// expect: false
// checks: memory
// data-model: ILP32
// The size in bytes wraps around as compilers compute it: there may be fewer elements than the length says.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 0x7fffffff)
        return 0;
    double a[n];
    a[0] = 1;
    return a[0] != 1;
}
