// expect: false
// args: --entry half
// An entry function other than main gets any number, also 0.
int half(int n)
{
    __CPROVER_assert(n != 0, "not zero");
    return n / 2;
}
