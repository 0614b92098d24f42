float __hone_fmaf(float x, float y, float z)
{
    union { double value; unsigned long long bits; } sum;
    double product = (double)x * y;
    if (sizeof(double) < 8)
        return (float)__hone__any_double();
    sum.value = product + z;
    if (sum.value - sum.value != 0)
        return (float)sum.value;
    double part = sum.value - product, error = (product - (sum.value - part)) + (z - part);
    // What was rounded off must not look like a tie.
    if (error != 0 && sum.bits % 2 == 0) {
        if ((error > 0) == (sum.value > 0))
            sum.bits++;
        else
            sum.bits--;
    }
    return (float)sum.value;
}

static double __hone__sum(double x, double y, double *rest)
{
    double sum = x + y, part = sum - x;
    *rest = (x - (sum - part)) + (y - part);
    return sum;
}

double __hone_fma(double x, double y, double z)
{
    if (sizeof(double) < 8)
        return __hone__any_double();
    if (x == 0 || y == 0 || x - x != 0 || y - y != 0 || z != z)
        return x * y + z;
    if (z == 0 || z - z != 0)
        return z == 0 ? x * y : z;
    // The exact product is high + low, times a power of two.
    int exponent, more, other, before = __hone__errno;
    double a = __hone_frexp(x, &exponent), b = __hone_frexp(y, &more), c = __hone_frexp(z, &other);
    double a0 = 134217729.0 * a, b0 = 134217729.0 * b;
    a0 -= a0 - a;
    b0 -= b0 - b;
    double high = a * b, low = a0 * b0 - high + a0 * (b - b0) + (a - a0) * b0 + (a - a0) * (b - b0);
    exponent += more;
    more = other - exponent;
    // What is far below the other only decides where it is rounded to.
    if (more > 200) {
        exponent = other;
        high = high > 0 ? 0x1p-200 : -0x1p-200;
        low = 0;
    } else {
        c = more < -200 ? c * 0x1p-200 : __hone_ldexp(c, more);
    }
    union { double value; unsigned long long bits; } last;
    double rest, sum = __hone__sum(high, c, &rest);
    last.value = __hone__sum(rest, low, &rest);
    if (rest != 0 && last.bits % 2 == 0) {
        if ((rest > 0) == (last.value > 0))
            last.bits++;
        else
            last.bits--;
    }
    sum = __hone__sum(sum, last.value, &rest);
    double result = __hone_ldexp(sum, exponent), lost = sum - __hone_ldexp(result, -exponent);
    // A tie among subnormal numbers may be none.
    double least = 0x1p-1074;
    if (result - result == 0 && lost != 0 && 2 * (lost < 0 ? -lost : lost) == __hone_ldexp(least, -exponent) && rest != 0
        && (rest > 0) == (lost > 0))
        result += lost > 0 ? least : -least;
    __hone__errno = before;
    return result;
}
