static unsigned long long __hone__@number(const CHAR *s, CHAR **end, int base, unsigned long long greatest,
                                         unsigned long long least, int *negative)
{
    const CHAR *at = s;
    *negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        __hone__errno = 22;
        return 0;
    }
    while (*at == ' ' || *at >= '\t' && *at <= '\r')
        at++;
    if (*at == '-') {
        *negative = 1;
        at++;
    } else if (*at == '+') {
        at++;
    }
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && HAS_DIGIT) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    unsigned long long limit = *negative ? least : greatest;
    unsigned long long most = limit / base;
    int last = (int)(limit % base);
    unsigned long long value = 0;
    int some = 0, overflow = 0;
    for (;; at++) {
        int digit;
        if (*at >= '0' && *at <= '9')
            digit = *at - '0';
        else if (*at >= 'a' && *at <= 'z')
            digit = *at - 'a' + 10;
        else if (*at >= 'A' && *at <= 'Z')
            digit = *at - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        some = 1;
        if (value > most || value == most && digit > last)
            overflow = 1;
        else
            value = value * base + digit;
    }
    if (end)
        *end = (CHAR *)(some ? at : s);
    if (overflow) {
        __hone__errno = 34;
        return limit;
    }
    return value;
}

long __hone_@tol(const CHAR *s, CHAR **end, int base)
{
    const unsigned long greatest = (unsigned long)-1 / 2;
    int negative;
    unsigned long value = (unsigned long)__hone__@number(s, end, base, greatest, greatest + 1, &negative);
    return (long)(negative ? -value : value);
}

long long __hone_@toll(const CHAR *s, CHAR **end, int base)
{
    const unsigned long long greatest = (unsigned long long)-1 / 2;
    int negative;
    unsigned long long value = __hone__@number(s, end, base, greatest, greatest + 1, &negative);
    return (long long)(negative ? -value : value);
}

long long __hone_@toq(const CHAR *s, CHAR **end, int base)
{
    return __hone_@toll(s, end, base);
}

long long __hone_@toimax(const CHAR *s, CHAR **end, int base)
{
    return __hone_@toll(s, end, base);
}

unsigned long __hone_@toul(const CHAR *s, CHAR **end, int base)
{
    const unsigned long greatest = (unsigned long)-1;
    int negative;
    int before = __hone__errno;
    __hone__errno = 0;
    unsigned long value = (unsigned long)__hone__@number(s, end, base, greatest, greatest, &negative);
    if (__hone__errno == 34)
        return greatest;
    if (!__hone__errno)
        __hone__errno = before;
    return negative ? -value : value;
}

unsigned long long __hone_@toull(const CHAR *s, CHAR **end, int base)
{
    const unsigned long long greatest = (unsigned long long)-1;
    int negative;
    int before = __hone__errno;
    __hone__errno = 0;
    unsigned long long value = __hone__@number(s, end, base, greatest, greatest, &negative);
    if (__hone__errno == 34)
        return greatest;
    if (!__hone__errno)
        __hone__errno = before;
    return negative ? -value : value;
}

unsigned long long __hone_@touq(const CHAR *s, CHAR **end, int base)
{
    return __hone_@toull(s, end, base);
}

unsigned long long __hone_@toumax(const CHAR *s, CHAR **end, int base)
{
    return __hone_@toull(s, end, base);
}
