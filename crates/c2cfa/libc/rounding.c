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
