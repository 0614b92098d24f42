// expect: false
// A `float` has no room for all values of `int`.
extern int nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, "", 0, ""))

int main(void)
{
    int x = nondet_int(), y = nondet_int();
    float f = x, g = y;
    assert((f < g) == (x < y));
    return 0;
}
