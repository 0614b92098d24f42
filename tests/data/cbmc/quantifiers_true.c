// expect: true
// checks: assertions,memory,overflow
// Quantifiers over small ranges, structs that are compared, and overflow as a question.
struct point {
    int x;
    short y[2];
    unsigned flag : 3;
};
int nondet_int(void);

int main(void)
{
    int a[6] = {0}, k = nondet_int();
    __CPROVER_assume(0 <= k && k < 6);
    a[k] = 1;
    __CPROVER_assert(__CPROVER_exists { int i; (0 <= i && i < 6) && a[i] == 1 }, "one is set");
    __CPROVER_assert(__CPROVER_forall { unsigned i; i < sizeof(a) / sizeof(a[0]) ==> (a[i] == 1 ==> i == k) }, "no other");
    __CPROVER_assert(__CPROVER_forall { int i; i > 3 && i < 3 ==> a[i] == 7 }, "no value");
    struct point p = {1, {2, 3}, 4}, q = p;
    __CPROVER_assert(p == q, "copied");
    q.y[1] += 1;
    __CPROVER_assert(p != q, "changed");
    __CPROVER_assert(__CPROVER_overflow_plus(2147483647, 1) && !__CPROVER_overflow_plus(k, 1), "sums");
    __CPROVER_assert(__CPROVER_overflow_mult(1u << 31, 2u) && __CPROVER_overflow_minus(0u, 1u), "without sign");
    __CPROVER_assert(__CPROVER_overflow_unary_minus(-2147483647 - 1), "negation");
    return 0;
}
