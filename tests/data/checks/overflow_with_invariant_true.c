// expect: true
// checks: overflow
// That the sum fits needs a bound of the loop's counter.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 1000;
    int sum = 0;
    for (unsigned i = 0; i < n; i++)
        if (sum < 100000)
            sum += 7;
    return sum;
}
