// expect: true
// args: --entry sign
// checks: memory,assertions
// Pointers that an entry function gets may be null.
int sign(const int *p)
{
    if (!p) {
        return 0;
    }
    int s = (*p > 0) - (*p < 0);
    __CPROVER_assert(s >= -1 && s <= 1, "sign");
    return s;
}
