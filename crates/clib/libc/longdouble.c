long double __hone_copysignl(long double x, long double y)
{
    long double size = __builtin_fabsl(x);
    return __builtin_signbitl(y) ? -size : size;
}

long double __hone_modfl(long double x, long double *whole)
{
    *whole = __hone_truncl(x);
    long double rest = x == *whole ? 0 : x - *whole;
    return x != x ? x : __hone_copysignl(rest, x);
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

long double __hone_scalblnl(long double x, long n)
{
    return __hone_ldexpl(x, (int)(n > 40000 ? 40000 : n < -40000 ? -40000 : n));
}
