// expect: false
// A precondition is an assertion where the function stands.
int nondet_int(void);

static int half(int x)
{
    __CPROVER_precondition(x % 2 == 0, "x is even");
    return x / 2;
}

int main(void)
{
    int x = nondet_int();
    __CPROVER_assume(0 <= x && x < 100);
    int y = half(x);
    __CPROVER_assert(y < 50, "half");
    return 0;
}
