// expect: true
// checks: assertions
// Sums and differences that stay in the range of their type, and questions about floats.
int main(void)
{
    int a = nondet_int(), b = nondet_int();
    int sum = __CPROVER_saturating_plus(a, b);
    __CPROVER_assert(__CPROVER_overflow_plus(a, b) || sum == a + b, "the sum, if it fits");
    __CPROVER_assert(!(a > 0 && b > 0) || sum > 0, "the greatest number otherwise");
    __CPROVER_assert(__CPROVER_saturating_minus(10ul, ~0ul) == 0, "no number below zero");
    __CPROVER_assert(__CPROVER_saturating_minus((signed char)-100, (short)100) == -200, "of the promoted types");
    double x = nondet_double();
    __CPROVER_assert(__CPROVER_isnand(x) || __CPROVER_isfinited(x) || __CPROVER_isinfd(x), "one of the classes");
    __CPROVER_assert(!__CPROVER_islessd(x, x) && __CPROVER_signf(-0.0f) && __CPROVER_fabs(-2.0) == 2.0, "comparisons");
    return 0;
}
