long double __hone_truncl(long double x)
{
    if (!(x < 9223372036854775808.0L && x > -9223372036854775808.0L) || x == 0)
        return x;
    long double whole = (long double)(long long)x;
    return whole == 0 && x < 0 ? -whole : whole;
}

long double __hone_floorl(long double x)
{
    long double whole = __hone_truncl(x);
    return whole > x ? whole - 1 : whole;
}

long double __hone_ceill(long double x)
{
    long double whole = __hone_truncl(x);
    return whole < x ? whole + 1 : whole;
}

long double __hone_roundl(long double x)
{
    long double whole = __hone_truncl(x), rest = x - whole;
    if (rest >= 0.5L)
        return whole + 1;
    return rest <= -0.5L ? whole - 1 : whole;
}

long double __hone_rintl(long double x)
{
    long double whole = __hone_truncl(x), rest = x - whole;
    int odd = whole < 9223372036854775808.0L && whole > -9223372036854775808.0L && (long long)whole % 2 != 0;
    if (rest > 0.5L || rest == 0.5L && odd)
        return whole + 1;
    return rest < -0.5L || rest == -0.5L && odd ? whole - 1 : whole;
}

long double __hone_nearbyintl(long double x)
{
    return __hone_rintl(x);
}

long double __hone_roundevenl(long double x)
{
    return __hone_rintl(x);
}

long __hone_lroundl(long double x)
{
    return (long)__hone_roundl(x);
}

long long __hone_llroundl(long double x)
{
    return (long long)__hone_roundl(x);
}

long __hone_lrintl(long double x)
{
    return (long)__hone_rintl(x);
}

long long __hone_llrintl(long double x)
{
    return (long long)__hone_rintl(x);
}

long double __hone_copysignl(long double x, long double y)
{
    long double size = __builtin_fabsl(x);
    return __builtin_signbitl(y) ? -size : size;
}

long double __hone_fminl(long double x, long double y)
{
    if (x != x)
        return y;
    return y < x ? y : x;
}

long double __hone_fmaxl(long double x, long double y)
{
    if (x != x)
        return y;
    return y > x ? y : x;
}

long double __hone_fdiml(long double x, long double y)
{
    if (x != x || y != y)
        return x + y;
    long double result = x > y ? x - y : 0;
    if (result - result != 0 && x - x == 0 && y - y == 0)
        __hone__errno = 34;
    return result;
}

long double __hone_modfl(long double x, long double *whole)
{
    *whole = __hone_truncl(x);
    long double rest = x == *whole ? 0 : x - *whole;
    return x != x ? x : __hone_copysignl(rest, x);
}

long double __hone_fmodl(long double x, long double y)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
    long double rest = x < 0 ? -x : x, by = y < 0 ? -y : y;
    while (rest >= by) {
        long double step = by;
        while (step <= rest - step)
            step *= 2;
        rest -= step;
    }
    return __hone_copysignl(rest, x);
}

long double __hone_remainderl(long double x, long double y)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
    long double by = y < 0 ? -y : y, twice = by + by;
    long double rest = __hone_copysignl(twice - twice == 0 ? __hone_fmodl(x, twice) : x, 1);
    int odd = rest >= by;
    if (odd)
        rest -= by;
    if (rest > by - rest || odd && rest == by - rest)
        rest -= by;
    return __hone_copysignl(1, x) < 0 ? -rest : rest;
}

long double __hone_dreml(long double x, long double y)
{
    return __hone_remainderl(x, y);
}

long double __hone_remquol(long double x, long double y, int *quotient)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        *quotient = __hone__any_int();
        return (x * y) / (x * y);
    }
    long double by = y < 0 ? -y : y, times = 8 * by;
    long double rest = __hone_copysignl(times - times == 0 ? __hone_fmodl(x, times) : x, 1);
    unsigned whole = 0;
    for (unsigned step = 4; step > 0; step /= 2) {
        if (rest >= step * by) {
            rest -= step * by;
            whole += step;
        }
    }
    if (rest > by - rest || whole % 2 && rest == by - rest) {
        rest -= by;
        whole++;
    }
    int negative = __hone_copysignl(1, x) < 0;
    // No more than three bits are told.
    whole = whole % 8 | (unsigned)__hone__any_int() % 0x10000000 * 8;
    *quotient = negative != (y < 0) ? -(int)whole : (int)whole;
    return negative ? -rest : rest;
}

long double __hone_significandl(long double x)
{
    if (x == 0 || x - x != 0)
        return x;
    int exponent;
    return 2 * __hone_frexpl(x, &exponent);
}

static const long double __hone__powers[14] = {
    0x1p1L, 0x1p2L, 0x1p4L, 0x1p8L, 0x1p16L, 0x1p32L, 0x1p64L, 0x1p128L, 0x1p256L, 0x1p512L, 0x1p1024L, 0x1p2048L, 0x1p4096L, 0x1p8192L
};

long double __hone_frexpl(long double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x != x || x - x != 0)
        return x;
    long double size = x < 0 ? -x : x;
    if (size < 0x1p-16382L) {
        size *= 0x1p64L;
        *exponent -= 64;
    }
    for (int i = 13; i >= 0; i--) {
        if (size >= __hone__powers[i]) {
            size /= __hone__powers[i];
            *exponent += 1 << i;
        } else if (size < 1 / __hone__powers[i]) {
            size *= __hone__powers[i];
            *exponent -= 1 << i;
        }
    }
    if (size >= 1) {
        size /= 2;
        *exponent += 1;
    } else if (size < 0.5L) {
        size *= 2;
        *exponent -= 1;
    }
    return x < 0 ? -size : size;
}

static long double __hone__scaled(long double x, int n)
{
    int rest = n < 0 ? -n : n;
    for (; rest > 16383; rest--)
        x = n < 0 ? x / 2 : x * 2;
    for (int i = 13; i >= 0; i--) {
        if (rest >= 1 << i) {
            rest -= 1 << i;
            x = n < 0 ? x / __hone__powers[i] : x * __hone__powers[i];
        }
    }
    return x;
}

long double __hone_ldexpl(long double x, int n)
{
    if (x == 0 || x != x || x - x != 0)
        return x;
    int exponent;
    long double value = __hone_frexpl(x, &exponent);
    n = exponent + (n > 40000 ? 40000 : n < -40000 ? -40000 : n);
    if (n > 16385)
        n = 16385;
    if (n < -16500)
        n = -16500;
    if (n >= -16381)
        value = __hone__scaled(value, n);
    else
        value = __hone__scaled(value, -16381) * __hone__scaled(1, n + 16381);
    if (value - value != 0 || value == 0)
        __hone__errno = 34;
    return value;
}

long double __hone_scalbnl(long double x, int n)
{
    return __hone_ldexpl(x, n);
}

long double __hone_scalblnl(long double x, long n)
{
    return __hone_ldexpl(x, (int)(n > 40000 ? 40000 : n < -40000 ? -40000 : n));
}

long double __hone_logbl(long double x)
{
    int exponent;
    if (x == 0)
        return -__builtin_inf();
    if (x != x || x - x != 0)
        return x * x;
    __hone_frexpl(x, &exponent);
    return exponent - 1;
}

int __hone_ilogbl(long double x)
{
    int exponent;
    if (x == 0 || x - x != 0) {
        __hone__errno = 33;
        return x == 0 || x != x ? -(int)((unsigned)-1 / 2) - 1 : (int)((unsigned)-1 / 2);
    }
    __hone_frexpl(x, &exponent);
    return exponent - 1;
}

long __hone_llogbl(long double x)
{
    const long greatest = (long)((unsigned long)-1 / 2);
    int exponent;
    if (x == 0 || x - x != 0) {
        __hone__errno = 33;
        return x == 0 || x != x ? -greatest - 1 : greatest;
    }
    __hone_frexpl(x, &exponent);
    return exponent - 1;
}
