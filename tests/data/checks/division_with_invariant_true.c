// expect: true
// checks: division
// The divisor begins with 1 and grows.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), by = 1, result = 0;
    for (unsigned i = 0; i < n; i++) {
        result += i / by;
        if (by < 50)
            by++;
    }
    return (int)(result % 2);
}
