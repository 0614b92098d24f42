// expect: true
// checks: shift
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned bits = 0;
    int by = 0;
    while (__VERIFIER_nondet_uint()) {
        bits |= 1u << by;
        by = by == 31 ? 0 : by + 1;
    }
    return bits != 0;
}
