// Functions on long double. Results are shown in two parts, since a double does not hold them.
#include <errno.h>
#include <math.h>
#include <stdio.h>

static const long double values[] = {
    0.0L, -0.0L, 1.0L, -1.0L, 0.5L, -0.5L, 1.5L, 2.5L, -2.5L, 0.49999999999999999997L, -0.49999999999999999997L, 3.7L, -3.7L, 1e10L, 123456789.5L,
    9223372036854775807.0L, 9223372036854775806.5L, 4611686018427387904.5L, -9223372036854775808.0L, 1.8446744073709551615e19L, 1e30L, -1e30L, 1e4000L,
    1e-4000L, -1e-4000L, 3.6e-4951L, 1.18973149535723176502e+4932L, 0.1L, 7.0L, 8388607.5L
};
enum { N = sizeof values / sizeof *values };

static void show(long double x)
{
    if (x != x) {
        printf(" nan");
        return;
    }
    int scale = 0;
    long double size = x < 0 ? -x : x;
    for (; size - size == 0 && size > 1e300L; size /= 1e300L)
        scale++;
    for (; size > 0 && size < 1e-300L; size *= 1e300L)
        scale--;
    double high = (double)size;
    printf(" %c%a", signbit(x) ? '-' : '+', high);
    if (size - size == 0)
        printf(",%a,%d", (double)(size - high), scale);
}

static void one(long double x)
{
    long double whole;
    show(x);
    printf(":");
    show(truncl(x)), show(floorl(x)), show(ceill(x)), show(roundl(x)), show(rintl(x)), show(nearbyintl(x)), show(roundevenl(x));
    long double rest = modfl(x, &whole);
    show(rest), show(whole);
    show(ldexpl(x, 1)), show(scalbnl(x, -3)), show(scalblnl(x, 5)), show(logbl(x)), show(significandl(x));
    for (int n = -33000; n <= 33000; n += 1650)
        show(ldexpl(x, n));
    for (int n = 16380; n < 16450; n += 3)
        show(ldexpl(0x1.fffffffffp0L * (x > -2 && x < 2 ? x : 1), -n));
    int exponent = 0;
    show(frexpl(x, &exponent));
    if (x - x == 0)
        printf(" %d", exponent);
    printf(" %d %ld", ilogbl(x), llogbl(x));
    if (x > -1e9L && x < 1e9L)
        printf(" %ld %lld %ld %lld", lroundl(x), llroundl(x), lrintl(x), llrintl(x));
    printf("\n");
}

static void two(long double x, long double y)
{
    int quotient = 0;
    show(copysignl(x, y)), show(fdiml(x, y));
    if (x != 0 || y != 0)
        show(fminl(x, y)), show(fmaxl(x, y));
    if (!(fabsl(x) > 1e20L) && !(fabsl(y) < 1e-10L))
        show(fmodl(x, y)), show(remainderl(x, y)), show(dreml(x, y)), show(remquol(x, y, &quotient));
    if (!(fabsl(x) > 1e20L) && !(fabsl(y) < 1e-10L) && x - x == 0 && y == y)
        printf(" %d", quotient % 8);
    errno = 0;
    fdiml(x, y), printf(" %d", errno), errno = 0;
    if (y == 0)
        fmodl(x, y), printf(" %d", errno), errno = 0, remainderl(x, y), printf(" %d", errno), errno = 0;
    ilogbl(x), printf(" %d", errno), errno = 0, significandl(x), printf(" %d", errno), errno = 0;
    ldexpl(x, 16000), printf(" %d", errno), errno = 0, scalbnl(x, -16440), printf(" %d", errno), errno = 0;
    printf("\n");
}

int main(void)
{
    long double infinity = values[2] / values[0], none = infinity - infinity;
    for (int i = 0; i < N; i++) {
        one(values[i]);
        for (int j = 0; j < N; j++)
            two(values[i], values[j]);
        two(values[i], infinity), two(values[i], none), two(-infinity, values[i]), two(none, values[i]);
    }
    one(infinity), one(-infinity), one(none);
    return 0;
}
