// expect: true
// Equal arguments give equal results.
int __CPROVER_uninterpreted_rank(const void *, int);
int nondet_int(void);

int main(void)
{
    int x, y;
    int first = __CPROVER_uninterpreted_rank(&x, 1);
    int other = __CPROVER_uninterpreted_rank(&y, nondet_int());
    __CPROVER_assume(first > 0 && other == -first);
    __CPROVER_assert(__CPROVER_uninterpreted_rank(&x, 1) + other == 0, "as before");
    return 0;
}
