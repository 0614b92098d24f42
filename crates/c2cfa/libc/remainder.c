double __hone_fmod(double x, double y)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
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
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
    float rest = x < 0 ? -x : x, by = y < 0 ? -y : y;
    while (rest >= by) {
        float step = by;
        while (step <= rest - step)
            step *= 2;
        rest -= step;
    }
    return __hone_copysignf(rest, x);
}

double __hone_remainder(double x, double y)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
    double by = y < 0 ? -y : y, twice = by + by;
    double rest = __hone_copysign(twice - twice == 0 ? __hone_fmod(x, twice) : x, 1);
    int odd = rest >= by;
    if (odd)
        rest -= by;
    if (rest > by - rest || odd && rest == by - rest)
        rest -= by;
    return __hone_copysign(1, x) < 0 ? -rest : rest;
}

double __hone_drem(double x, double y)
{
    return __hone_remainder(x, y);
}

double __hone_remquo(double x, double y, int *quotient)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        *quotient = __hone__any_int();
        return (x * y) / (x * y);
    }
    double by = y < 0 ? -y : y, times = 8 * by;
    double rest = __hone_copysign(times - times == 0 ? __hone_fmod(x, times) : x, 1);
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
    int negative = __hone_copysign(1, x) < 0;
    // No more than three bits are told.
    whole = whole % 8 | (unsigned)__hone__any_int() % 0x10000000 * 8;
    *quotient = negative != (y < 0) ? -(int)whole : (int)whole;
    return negative ? -rest : rest;
}

float __hone_remainderf(float x, float y)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        if (x == x && y == y)
            __hone__errno = 33;
        return (x * y) / (x * y);
    }
    float by = y < 0 ? -y : y, twice = by + by;
    float rest = __hone_copysignf(twice - twice == 0 ? __hone_fmodf(x, twice) : x, 1);
    int odd = rest >= by;
    if (odd)
        rest -= by;
    if (rest > by - rest || odd && rest == by - rest)
        rest -= by;
    return __hone_copysignf(1, x) < 0 ? -rest : rest;
}

float __hone_dremf(float x, float y)
{
    return __hone_remainderf(x, y);
}

float __hone_remquof(float x, float y, int *quotient)
{
    if (x != x || y != y || x - x != 0 || y == 0) {
        *quotient = __hone__any_int();
        return (x * y) / (x * y);
    }
    float by = y < 0 ? -y : y, times = 8 * by;
    float rest = __hone_copysignf(times - times == 0 ? __hone_fmodf(x, times) : x, 1);
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
    int negative = __hone_copysignf(1, x) < 0;
    // No more than three bits are told.
    whole = whole % 8 | (unsigned)__hone__any_int() % 0x10000000 * 8;
    *quotient = negative != (y < 0) ? -(int)whole : (int)whole;
    return negative ? -rest : rest;
}
