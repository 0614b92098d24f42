// Functions of floats whose results IEEE 754 or their values fix.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double values[] = {0.0, -0.0, 0.5, -0.5, 0.49999999999999994, -0.49999999999999994, 1, -1, 1.5, -1.5, 2, -2, 2.5, -2.5, 3, 3.7, -3.2, 7, 10, 100.25, 1e10, -1e10, 4503599627370495.5, -4503599627370495.5,
                                4503599627370496, 9007199254740991, 9007199254740993, 1e18, -1e18, 1e300, -1e300, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310, INFINITY, -INFINITY, NAN};
enum { N = sizeof values / sizeof *values };

static void show(double x)
{
    if (x != x)
        printf(" nan");
    else
        printf(" %a", x);
}

static void one(double x)
{
    float f = (float)x, whole_float;
    double whole;
    int exponent = 0, float_exponent = 0;
    show(x);
    printf(":");
    show(floor(x)), show(ceil(x)), show(trunc(x)), show(round(x)), show(rint(x)), show(nearbyint(x)), show(roundeven(x));
    show(floorf(f)), show(ceilf(f)), show(truncf(f)), show(roundf(f)), show(rintf(f)), show(nearbyintf(f)), show(roundevenf(f));
    show(fabs(x)), show(fabsf(f)), show(modf(x, &whole)), show(whole), show(modff(f, &whole_float)), show(whole_float);
    for (int n = -1100; n <= 1100; n += 55)
        show(ldexp(x, n)), show(ldexpf(f, n / 4));
    show(scalbn(x, 3)), show(scalbnf(f, -3)), show(scalbln(x, -3)), show(scalblnf(f, 3)), show(logb(x)), show(logbf(f));
    printf(" %d %d %ld %ld", ilogb(x), ilogbf(f), llogb(x), llogbf(f));
    show(significand(x)), show(significandf(f)), show(nextup(x)), show(nextupf(f)), show(nextdown(x)), show(nextdownf(f));
    show(frexp(x, &exponent)), show(frexpf(f, &float_exponent));
    if (x - x == 0)
        printf(" %d", exponent);
    if (f - f == 0)
        printf(" %d", float_exponent);
    printf(" %d %d %d %d", isnan(x) != 0, isinf(x) != 0, isfinite(x) != 0, x == x ? signbit(x) != 0 : 0);
    if (x > -1e9 && x < 1e9)
        printf(" %ld %lld %ld %lld %ld %lld %ld %lld", lround(x), llround(x), lrint(x), llrint(x), lroundf(f), llroundf(f), lrintf(f),
               llrintf(f));
    printf("\n");
}

// Quotients are told up to three bits.
static void quotients(double x, double y)
{
    float f = (float)x, g = (float)y;
    int quotient = 0, float_quotient = 0;
    show(remainder(x, y)), show(remainderf(f, g)), show(drem(x, y)), show(dremf(f, g));
    show(remquo(x, y, &quotient)), show(remquof(f, g, &float_quotient));
    if (x - x == 0 && y == y && y != 0)
        printf(" %d", quotient % 8);
    if (f - f == 0 && g == g && g != 0)
        printf(" %d", float_quotient % 8);
}

// What a call leaves in errno.
#define ERROR(call) (errno = 0, (void)(call), printf(" %d", errno))

static void errors(double x, double y)
{
    float f = (float)x, g = (float)y;
    ERROR(fdim(x, y)), ERROR(fdimf(f, g)), ERROR(nextafter(x, y)), ERROR(nextafterf(f, g)), ERROR(nexttoward(x, y)), ERROR(nexttowardf(f, g));
    ERROR(ilogb(x)), ERROR(ilogbf(f)), ERROR(llogb(x)), ERROR(llogbf(f)), ERROR(logb(x)), ERROR(nextup(x)), ERROR(significand(x)), ERROR(significandf(f));
    ERROR(ldexp(x, 1000)), ERROR(ldexp(x, -1060)), ERROR(ldexpf(f, -149)), ERROR(scalbn(x, -1100)), ERROR(scalblnf(f, 200));
    if (!(fabs(x) > 1e20) && !(fabs(y) < 1e-10) || y == 0 || x - x != 0)
        ERROR(fmod(x, y)), ERROR(fmodf(f, g)), ERROR(remainder(x, y)), ERROR(dremf(f, g));
    if (x == x && y == y && (x == 0 || y - y != 0 || fabs(x) < 20 && x == (int)x && y == (int)y && fabs(y) < 12))
        ERROR(pow(x, y));
    ERROR(fma(x, y, x)), ERROR(fmaf(f, g, f)), ERROR(fmax(x, y)), ERROR(lrint(x == x && fabs(x) < 1e9 ? x : 0));
    printf("\n");
}

static void three(double x, double y, double z)
{
    show(fma(x, y, z)), show(fmaf((float)x, (float)y, (float)z));
    show(fma(x, y, -(x * y)));
}

static int by_zeros(double x, double y)
{
    return x == 0 && y == 0;
}

static void two(double x, double y)
{
    float f = (float)x, g = (float)y;
    show(copysign(x, y)), show(copysignf(f, g)), show(fdim(x, y)), show(fdimf(f, g));
    show(nextafter(x, y)), show(nextafterf(f, g));
    show(nexttoward(x, y)), show(nexttowardf(f, g)), show(nexttoward(x, y + 1e-19L)), show(nexttowardf(f, (long double)f - 1e-9L));
    if (!by_zeros(x, y))
        show(fmin(x, y)), show(fmax(x, y));
    if (!by_zeros(f, g))
        show(fminf(f, g)), show(fmaxf(f, g));
    if (!(fabs(x) > 1e20) && !(fabs(y) < 1e-10))
        show(fmod(x, y)), show(fmodf(f, g)), quotients(x, y);
    if (x == (int)x && fabs(x) < 20 && y == (int)y && y >= 0 && y < 12)
        show(pow(x, y));
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        one(values[i]);
        for (int j = 0; j < N; j++)
            two(values[i], values[j]), errors(values[i], values[j]);
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < 2; k++)
                three(values[i], values[j], values[(i + j + 5 * k) % N]);
        }
        printf("\n");
    }
    return 0;
}
