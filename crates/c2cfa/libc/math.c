double __hone_trunc(double x)
{
    if (!(x < 4503599627370496.0 && x > -4503599627370496.0) || x == 0)
        return x;
    double whole = (double)(long long)x;
    return whole == 0 && x < 0 ? -whole : whole;
}

float __hone_truncf(float x)
{
    if (!(x < 8388608.0f && x > -8388608.0f) || x == 0)
        return x;
    float whole = (float)(long long)x;
    return whole == 0 && x < 0 ? -whole : whole;
}

double __hone_floor(double x)
{
    double whole = __hone_trunc(x);
    return whole > x ? whole - 1.0 : whole;
}

float __hone_floorf(float x)
{
    float whole = __hone_truncf(x);
    return whole > x ? whole - 1.0f : whole;
}

double __hone_ceil(double x)
{
    double whole = __hone_trunc(x);
    return whole < x ? whole + 1.0 : whole;
}

float __hone_ceilf(float x)
{
    float whole = __hone_truncf(x);
    return whole < x ? whole + 1.0f : whole;
}

double __hone_round(double x)
{
    double whole = __hone_trunc(x), rest = x - whole;
    if (rest >= 0.5)
        return whole + 1.0;
    return rest <= -0.5 ? whole - 1.0 : whole;
}

float __hone_roundf(float x)
{
    float whole = __hone_truncf(x), rest = x - whole;
    if (rest >= 0.5f)
        return whole + 1.0f;
    return rest <= -0.5f ? whole - 1.0f : whole;
}

double __hone_rint(double x)
{
    double whole = __hone_trunc(x), rest = x - whole;
    int odd = whole < 4503599627370496.0 && whole > -4503599627370496.0 && (long long)whole % 2 != 0;
    if (rest > 0.5 || rest == 0.5 && odd)
        return whole + 1.0;
    return rest < -0.5 || rest == -0.5 && odd ? whole - 1.0 : whole;
}

float __hone_rintf(float x)
{
    float whole = __hone_truncf(x), rest = x - whole;
    int odd = whole < 8388608.0f && whole > -8388608.0f && (long long)whole % 2 != 0;
    if (rest > 0.5f || rest == 0.5f && odd)
        return whole + 1.0f;
    return rest < -0.5f || rest == -0.5f && odd ? whole - 1.0f : whole;
}

double __hone_nearbyint(double x)
{
    return __hone_rint(x);
}

float __hone_nearbyintf(float x)
{
    return __hone_rintf(x);
}

double __hone_roundeven(double x)
{
    return __hone_rint(x);
}

float __hone_roundevenf(float x)
{
    return __hone_rintf(x);
}

long __hone_lround(double x)
{
    return (long)__hone_round(x);
}

long __hone_lroundf(float x)
{
    return (long)__hone_roundf(x);
}

long long __hone_llround(double x)
{
    return (long long)__hone_round(x);
}

long long __hone_llroundf(float x)
{
    return (long long)__hone_roundf(x);
}

long __hone_lrint(double x)
{
    return (long)__hone_rint(x);
}

long __hone_lrintf(float x)
{
    return (long)__hone_rintf(x);
}

long long __hone_llrint(double x)
{
    return (long long)__hone_rint(x);
}

long long __hone_llrintf(float x)
{
    return (long long)__hone_rintf(x);
}

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

double __hone_fmin(double x, double y)
{
    if (x != x)
        return y;
    return y < x ? y : x;
}

float __hone_fminf(float x, float y)
{
    if (x != x)
        return y;
    return y < x ? y : x;
}

double __hone_fmax(double x, double y)
{
    if (x != x)
        return y;
    return y > x ? y : x;
}

float __hone_fmaxf(float x, float y)
{
    if (x != x)
        return y;
    return y > x ? y : x;
}

double __hone_fdim(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

float __hone_fdimf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
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

double __hone_fmod(double x, double y)
{
    if (x != x || y != y || x - x != 0 || y == 0)
        return (x * y) / (x * y);
    double rest = x < 0 ? -x : x, by = y < 0 ? -y : y;
    while (rest >= by) {
        double step = by;
        while (step <= rest - step)
            step *= 2;
        rest -= step;
    }
    return __hone_copysign(rest, x);
}

float __hone_fmodf(float x, float y)
{
    if (x != x || y != y || x - x != 0 || y == 0)
        return (x * y) / (x * y);
    float rest = x < 0 ? -x : x, by = y < 0 ? -y : y;
    while (rest >= by) {
        float step = by;
        while (step <= rest - step)
            step *= 2;
        rest -= step;
    }
    return __hone_copysignf(rest, x);
}

double __hone_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (y == 1)
        return x;
    if (y > 1 && y <= 64 && y == (double)(int)y && x >= -1073741824 && x <= 1073741824 && x == (double)(__hone_int32_t)x) {
        long long power = 1, base = (long long)x;
        int n = (int)y;
        if (base == 0)
            return n % 2 ? x : 0.0;
        while (n > 0 && power < 8388608 && power > -8388608) {
            power *= base;
            n--;
        }
        if (n == 0 && power <= 9007199254740992 && power >= -9007199254740992)
            return (double)power;
    }
    double result = __hone__power(x, y);
    if (x > 0)
        __hone__require(result >= 0);
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
    return value;
}

double __hone_scalbn(double x, int n)
{
    return __hone_ldexp(x, n);
}

double __hone_scalbln(double x, long n)
{
    return __hone_ldexp(x, (int)(n > 2100 ? 2100 : n < -2100 ? -2100 : n));
}

double __hone_logb(double x)
{
    int exponent;
    if (x == 0)
        return -__builtin_inf();
    if (x != x || x - x != 0)
        return x * x;
    __hone_frexp(x, &exponent);
    return exponent - 1;
}

int __hone_ilogb(double x)
{
    int exponent;
    if (x == 0 || x != x)
        return -(int)((unsigned)-1 / 2) - 1;
    if (x - x != 0)
        return (int)((unsigned)-1 / 2);
    __hone_frexp(x, &exponent);
    return exponent - 1;
}

double __hone_nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    union { double value; unsigned long long bits; } number;
    number.value = x;
    if (x == 0) {
        number.bits = 1;
        return y < 0 ? -number.value : number.value;
    }
    if ((x < y) == (x > 0))
        number.bits++;
    else
        number.bits--;
    return number.value;
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
    return value;
}

float __hone_scalbnf(float x, int n)
{
    return __hone_ldexpf(x, n);
}

float __hone_scalblnf(float x, long n)
{
    return __hone_ldexpf(x, (int)(n > 300 ? 300 : n < -300 ? -300 : n));
}

float __hone_logbf(float x)
{
    int exponent;
    if (x == 0)
        return -__builtin_inf();
    if (x != x || x - x != 0)
        return x * x;
    __hone_frexpf(x, &exponent);
    return exponent - 1;
}

int __hone_ilogbf(float x)
{
    int exponent;
    if (x == 0 || x != x)
        return -(int)((unsigned)-1 / 2) - 1;
    if (x - x != 0)
        return (int)((unsigned)-1 / 2);
    __hone_frexpf(x, &exponent);
    return exponent - 1;
}

float __hone_nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    union { float value; __hone_uint32_t bits; } number;
    number.value = x;
    if (x == 0) {
        number.bits = 1;
        return y < 0 ? -number.value : number.value;
    }
    if ((x < y) == (x > 0))
        number.bits++;
    else
        number.bits--;
    return number.value;
}
