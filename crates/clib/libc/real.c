REAL __hone_trunc@(REAL x)
{
    if (!(x < WHOLE && x > -WHOLE) || x == 0)
        return x;
    REAL whole = (REAL)(long long)x;
    return whole == 0 && x < 0 ? -whole : whole;
}

REAL __hone_floor@(REAL x)
{
    REAL whole = __hone_trunc@(x);
    return whole > x ? whole - 1.0@ : whole;
}

REAL __hone_ceil@(REAL x)
{
    REAL whole = __hone_trunc@(x);
    return whole < x ? whole + 1.0@ : whole;
}

REAL __hone_round@(REAL x)
{
    REAL whole = __hone_trunc@(x), rest = x - whole;
    if (rest >= 0.5@)
        return whole + 1.0@;
    return rest <= -0.5@ ? whole - 1.0@ : whole;
}

REAL __hone_rint@(REAL x)
{
    REAL whole = __hone_trunc@(x), rest = x - whole;
    int odd = whole < WHOLE && whole > -WHOLE && (long long)whole % 2 != 0;
    if (rest > 0.5@ || rest == 0.5@ && odd)
        return whole + 1.0@;
    return rest < -0.5@ || rest == -0.5@ && odd ? whole - 1.0@ : whole;
}

REAL __hone_nearbyint@(REAL x)
{
    return __hone_rint@(x);
}

REAL __hone_roundeven@(REAL x)
{
    return __hone_rint@(x);
}

long __hone_lround@(REAL x)
{
    return (long)__hone_round@(x);
}

long long __hone_llround@(REAL x)
{
    return (long long)__hone_round@(x);
}

long __hone_lrint@(REAL x)
{
    return (long)__hone_rint@(x);
}

long long __hone_llrint@(REAL x)
{
    return (long long)__hone_rint@(x);
}

REAL __hone_fmod@(REAL x, REAL y)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
    REAL rest = x < 0 ? -x : x, by = y < 0 ? -y : y;
    while (rest >= by) {
        REAL step = by;
        while (step <= rest - step)
            step *= 2;
        rest -= step;
    }
    return __hone_copysign@(rest, x);
}

REAL __hone_remainder@(REAL x, REAL y)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
    REAL by = y < 0 ? -y : y, twice = by + by;
    REAL rest = __hone_copysign@(twice - twice == 0 ? __hone_fmod@(x, twice) : x, 1);
    int odd = rest >= by;
    if (odd)
        rest -= by;
    if (rest > by - rest || odd && rest == by - rest)
        rest -= by;
    return __hone_copysign@(1, x) < 0 ? -rest : rest;
}

REAL __hone_drem@(REAL x, REAL y)
{
    return __hone_remainder@(x, y);
}

REAL __hone_remquo@(REAL x, REAL y, int *quotient)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        *quotient = __hone__any_int();
        return (x * y) / (x * y);
    }
    REAL by = y < 0 ? -y : y, times = 8 * by;
    REAL rest = __hone_copysign@(times - times == 0 ? __hone_fmod@(x, times) : x, 1);
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
    int negative = __hone_copysign@(1, x) < 0;
    // No more than three bits are told.
    whole = whole % 8 | (unsigned)__hone__any_int() % 0x10000000 * 8;
    *quotient = negative != (y < 0) ? -(int)whole : (int)whole;
    return negative ? -rest : rest;
}

REAL __hone_fmin@(REAL x, REAL y)
{
    if (x != x)
        return y;
    // C leaves open which of two zeros this is.
    if (x == 0 && y == 0 && __hone__any_int())
        return y;
    return y < x ? y : x;
}

REAL __hone_fmax@(REAL x, REAL y)
{
    if (x != x)
        return y;
    if (x == 0 && y == 0 && __hone__any_int())
        return y;
    return y > x ? y : x;
}

REAL __hone_fdim@(REAL x, REAL y)
{
    if (x != x || y != y)
        return x + y;
    REAL result = x > y ? x - y : 0;
    if (result - result != 0 && x - x == 0 && y - y == 0)
        __hone__errno = 34;
    return result;
}

REAL __hone_scalbn@(REAL x, int n)
{
    return __hone_ldexp@(x, n);
}

REAL __hone_logb@(REAL x)
{
    int exponent;
    if (x == 0)
        return -__builtin_inf();
    if (x != x || x - x != 0)
        return x * x;
    __hone_frexp@(x, &exponent);
    return exponent - 1;
}

int __hone_ilogb@(REAL x)
{
    int exponent;
    if (x == 0 || x - x != 0) {
        __hone__errno = 33;
        return x == 0 || x != x ? -(int)((unsigned)-1 / 2) - 1 : (int)((unsigned)-1 / 2);
    }
    __hone_frexp@(x, &exponent);
    return exponent - 1;
}

long __hone_llogb@(REAL x)
{
    const long greatest = (long)((unsigned long)-1 / 2);
    int exponent;
    if (x == 0 || x - x != 0) {
        __hone__errno = 33;
        return x == 0 || x != x ? -greatest - 1 : greatest;
    }
    __hone_frexp@(x, &exponent);
    return exponent - 1;
}

int __hone___fpclassify@(REAL x)
{
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}
