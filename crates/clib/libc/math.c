double __hone_copysign(double x, double y)
{
    union { double value; unsigned long long bits; } a, b;
    a.value = x;
    b.value = y;
    unsigned long long sign = (unsigned long long)1 << (sizeof(unsigned long long) * 8 - 1);
    a.bits = a.bits & ~sign | b.bits & sign;
    return a.value;
}

float __hone_copysignf(float x, float y)
{
    union { float value; __hone_uint32_t bits; } a, b;
    a.value = x;
    b.value = y;
    __hone_uint32_t sign = (__hone_uint32_t)1 << (sizeof(__hone_uint32_t) * 8 - 1);
    a.bits = a.bits & ~sign | b.bits & sign;
    return a.value;
}

double __hone_modf(double x, double*whole)
{
    *whole = __hone_trunc(x);
    double rest = x == *whole ? 0 : x - *whole;
    return x != x ? x : __hone_copysign(rest, x);
}

float __hone_modff(float x, float*whole)
{
    *whole = __hone_truncf(x);
    float rest = x == *whole ? 0 : x - *whole;
    return x != x ? x : __hone_copysignf(rest, x);
}

double __hone_frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x != x || x - x != 0)
        return x;
    union { double value; unsigned long long bits; } number;
    number.value = x;
    int least = sizeof(double) == 8 ? 52 : 23, mask = sizeof(double) == 8 ? 0x7ff : 0xff, subnormal = 0;
    if ((number.bits >> least & mask) == 0) {
        number.value *= 4503599627370496.0;
        subnormal = least;
    }
    *exponent = (int)(number.bits >> least & mask) - (mask >> 1) + 1 - subnormal;
    number.bits = number.bits & ~((unsigned long long)mask << least) | (unsigned long long)((mask >> 1) - 1) << least;
    return number.value;
}

float __hone_frexpf(float x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || x != x || x - x != 0)
        return x;
    union { float value; __hone_uint32_t bits; } number;
    number.value = x;
    int least = sizeof(float) == 8 ? 52 : 23, mask = sizeof(float) == 8 ? 0x7ff : 0xff, subnormal = 0;
    if ((number.bits >> least & mask) == 0) {
        number.value *= 8388608.0f;
        subnormal = least;
    }
    *exponent = (int)(number.bits >> least & mask) - (mask >> 1) + 1 - subnormal;
    number.bits = number.bits & ~((__hone_uint32_t)mask << least) | (__hone_uint32_t)((mask >> 1) - 1) << least;
    return number.value;
}

double __hone_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (y == 1)
        return x;
    if (y > 1 && y <= 64 && y == (double)(int)y && x >= -1073741824 && x <= 1073741824 && x == (double)(__hone_int32_t)x) {
        long long base = (long long)x, power = base * base;
        int n = (int)y;
        if (base == 0)
            return n % 2 ? x : 0.0;
        // Squares, which are met most, need no loop.
        if (n == 2) {
            if (base <= 94906265 && base >= -94906265)
                return (double)power;
        } else {
            while (n > 2 && power < 8388608 && power > -8388608) {
                power *= base;
                n--;
            }
            if (n == 2 && power <= 9007199254740992 && power >= -9007199254740992)
                return (double)power;
        }
    }
    double result = __hone__power(x, y);
    if (x > 0)
        __hone__require(result >= 0);
    if (x - x == 0 && y - y == 0 && (result != result || result - result != 0 || result == 0 && x != 0))
        __hone__errno = result != result ? 33 : 34;
    return result;
}

double __hone_ldexp(double x, int n)
{
    if (x == 0 || x != x || x - x != 0)
        return x;
    int exponent;
    double value = __hone_frexp(x, &exponent);
    if (n > 2100)
        n = 2100;
    if (n < -2100)
        n = -2100;
    n += exponent;
    const int least = sizeof(value) == 8 ? -1020 : -124;
    for (; n > 0 && value - value == 0; n--)
        value *= 2;
    for (; n < 0 && n > least; n++)
        value /= 2;
    if (n < 0) {
        double last = 1;
        for (; n < 0 && last != 0; n++)
            last /= 2;
        value *= last;
    }
    if (value - value != 0 || value == 0)
        __hone__errno = 34;
    return value;
}

double __hone_scalbln(double x, long n)
{
    return __hone_ldexp(x, (int)(n > 2100 ? 2100 : n < -2100 ? -2100 : n));
}

static double __hone__neighbour(double x, int up)
{
    union { double value; unsigned long long bits; } number;
    number.value = x;
    if (x == 0) {
        number.bits = 1;
        return up ? number.value : -number.value;
    }
    if (up == (x > 0))
        number.bits++;
    else
        number.bits--;
    return number.value;
}

static double __hone__next(double x, int up)
{
    double result = __hone__neighbour(x, up), size = result < 0 ? -result : result;
    const double least = sizeof x == 8 ? 2.2250738585072014e-308 : 1.17549435082228750797e-38f;
    if (x != 0 && (size < least || size - size != 0))
        __hone__errno = 34;
    return result;
}

double __hone_nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    return x == y ? y : __hone__next(x, x < y);
}

float __hone_ldexpf(float x, int n)
{
    if (x == 0 || x != x || x - x != 0)
        return x;
    int exponent;
    float value = __hone_frexpf(x, &exponent);
    if (n > 300)
        n = 300;
    if (n < -300)
        n = -300;
    n += exponent;
    const int least = sizeof(value) == 8 ? -1020 : -124;
    for (; n > 0 && value - value == 0; n--)
        value *= 2;
    for (; n < 0 && n > least; n++)
        value /= 2;
    if (n < 0) {
        float last = 1;
        for (; n < 0 && last != 0; n++)
            last /= 2;
        value *= last;
    }
    if (value - value != 0 || value == 0)
        __hone__errno = 34;
    return value;
}

float __hone_scalblnf(float x, long n)
{
    return __hone_ldexpf(x, (int)(n > 300 ? 300 : n < -300 ? -300 : n));
}

static float __hone__neighbourf(float x, int up)
{
    union { float value; __hone_uint32_t bits; } number;
    number.value = x;
    if (x == 0) {
        number.bits = 1;
        return up ? number.value : -number.value;
    }
    if (up == (x > 0))
        number.bits++;
    else
        number.bits--;
    return number.value;
}

static float __hone__nextf(float x, int up)
{
    float result = __hone__neighbourf(x, up), size = result < 0 ? -result : result;
    const float least = sizeof x == 8 ? 2.2250738585072014e-308 : 1.17549435082228750797e-38f;
    if (x != 0 && (size < least || size - size != 0))
        __hone__errno = 34;
    return result;
}

float __hone_nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    return x == y ? y : __hone__nextf(x, x < y);
}

double __hone_nextup(double x)
{
    return x != x || x == __builtin_inf() ? x : __hone__neighbour(x, 1);
}

double __hone_nextdown(double x)
{
    return x != x || x == -__builtin_inf() ? x : __hone__neighbour(x, 0);
}

double __hone_nexttoward(double x, long double y)
{
    if (x != x || y != y)
        return x + (double)y;
    return x == y ? (double)y : __hone__next(x, x < y);
}

double __hone_significand(double x)
{
    if (x == 0 || x - x != 0) {
        __hone__errno = 33;
        return x;
    }
    int exponent;
    return 2 * __hone_frexp(x, &exponent);
}

float __hone_nextupf(float x)
{
    return x != x || x == __builtin_inf() ? x : __hone__neighbourf(x, 1);
}

float __hone_nextdownf(float x)
{
    return x != x || x == -__builtin_inf() ? x : __hone__neighbourf(x, 0);
}

float __hone_nexttowardf(float x, long double y)
{
    if (x != x || y != y)
        return x + (float)y;
    return x == y ? (float)y : __hone__nextf(x, x < y);
}

float __hone_significandf(float x)
{
    if (x == 0 || x - x != 0) {
        __hone__errno = 33;
        return x;
    }
    int exponent;
    return 2 * __hone_frexpf(x, &exponent);
}
