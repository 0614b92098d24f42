// expect: true
// checks: assertions,float-cast
// A conversion is checked where it is evaluated; what fits is decided by the number without its fraction.
extern float nondet_float(void);
extern double nondet_double(void);

int main(void)
{
    float f = nondet_float();
    double d = nondet_double();
    int a = f >= 0 && f < 100 ? (int)f : -1;
    int b = f < 100 && f > -100 && (signed char)f > 3;
    int c = !(f < 100) || f < -100 || (signed char)f > 3;
    long x = 0;
    long double least = -0x1p63L;
    x += (long)least;
    if (f > -1 && f < 4294967296.0f)
        x += (unsigned)f;
    if (d > -1 && d < 18446744073709551616.0)
        x ^= (unsigned long)d;
    if (d > -9223372036854777856.0 && d < 9223372036854775808.0)
        x ^= (long)d;
    return x != 0 ? a : b + c;
}
