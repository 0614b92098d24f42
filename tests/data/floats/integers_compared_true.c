// expect: true
// Integers that became floats without loss compare as the integers do.
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern short nondet_short(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, "", 0, ""))

int main(void)
{
    int x = nondet_int(), y = nondet_int();
    unsigned u = nondet_uint();
    short s = nondet_short();
    double d = x, e = y, v = u;
    float f = s;
    assert((d < 2.5) == (x <= 2));
    assert((d <= 3.0) == (x <= 3));
    assert((-2.5 < d) == (x >= -2));
    assert((7.25 <= d) == (x >= 8));
    assert((d == 12.0) == (x == 12));
    assert(d != 0.5);
    assert((d < e) == (x < y));
    assert((d == v) == (x >= 0 && (unsigned)x == u));
    assert((v < d) == (x > 0 && u < (unsigned)x));
    assert(d >= -2147483648.0 && d < 2147483647.5 && !(d > 1e300));
    assert(v <= 4294967295.0 && v >= 0);
    assert(!(d < 0.0 / 0.0) && !(d >= 0.0 / 0.0) && d != 0.0 / 0.0);
    assert((f == -0.0f) == (s == 0));
    assert((f >= 32766.5f) == (s == 32767));
    assert((double)f == (double)s && (int)f == s);
    return 0;
}
