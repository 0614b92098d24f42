static unsigned long long __hone__number(const char *s, char **end, int base, unsigned long long greatest,
                                         unsigned long long least, int *negative)
{
    const char *at = s;
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
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __hone_isxdigit((unsigned char)at[2])) {
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
        *end = (char *)(some ? at : s);
    if (overflow) {
        __hone__errno = 34;
        return limit;
    }
    return value;
}

long __hone_strtol(const char *s, char **end, int base)
{
    const unsigned long greatest = (unsigned long)-1 / 2;
    int negative;
    unsigned long value = (unsigned long)__hone__number(s, end, base, greatest, greatest + 1, &negative);
    return (long)(negative ? -value : value);
}

long long __hone_strtoll(const char *s, char **end, int base)
{
    const unsigned long long greatest = (unsigned long long)-1 / 2;
    int negative;
    unsigned long long value = __hone__number(s, end, base, greatest, greatest + 1, &negative);
    return (long long)(negative ? -value : value);
}

long long __hone_strtoq(const char *s, char **end, int base)
{
    return __hone_strtoll(s, end, base);
}

long long __hone_strtoimax(const char *s, char **end, int base)
{
    return __hone_strtoll(s, end, base);
}

unsigned long __hone_strtoul(const char *s, char **end, int base)
{
    const unsigned long greatest = (unsigned long)-1;
    int negative;
    int before = __hone__errno;
    __hone__errno = 0;
    unsigned long value = (unsigned long)__hone__number(s, end, base, greatest, greatest, &negative);
    if (__hone__errno == 34)
        return greatest;
    if (!__hone__errno)
        __hone__errno = before;
    return negative ? -value : value;
}

unsigned long long __hone_strtoull(const char *s, char **end, int base)
{
    const unsigned long long greatest = (unsigned long long)-1;
    int negative;
    int before = __hone__errno;
    __hone__errno = 0;
    unsigned long long value = __hone__number(s, end, base, greatest, greatest, &negative);
    if (__hone__errno == 34)
        return greatest;
    if (!__hone__errno)
        __hone__errno = before;
    return negative ? -value : value;
}

unsigned long long __hone_strtouq(const char *s, char **end, int base)
{
    return __hone_strtoull(s, end, base);
}

unsigned long long __hone_strtoumax(const char *s, char **end, int base)
{
    return __hone_strtoull(s, end, base);
}

static const char *__hone__word(const char *at, const char *word)
{
    while (*word && __hone_tolower((unsigned char)*at) == *word) {
        at++;
        word++;
    }
    return *word ? (const char *)0 : at;
}

static const char *__hone__digits(const char *at, int hexadecimal)
{
    while (hexadecimal ? __hone_isxdigit((unsigned char)*at) : __hone_isdigit((unsigned char)*at))
        at++;
    return at;
}

static double __hone__parse_float(const char *s, char **end, int *special)
{
    const char *at = s;
    *special = 1;
    while (*at == ' ' || *at >= '\t' && *at <= '\r')
        at++;
    int negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    const char *word = __hone__word(at, "inf");
    if (word) {
        const char *longer = __hone__word(word, "inity");
        if (end)
            *end = (char *)(longer ? longer : word);
        return negative ? -__builtin_inf() : __builtin_inf();
    }
    word = __hone__word(at, "nan");
    if (word) {
        if (*word == '(') {
            const char *close = word + 1;
            while (__hone_isalnum((unsigned char)*close) || *close == '_')
                close++;
            if (*close == ')')
                word = close + 1;
        }
        if (end)
            *end = (char *)word;
        return negative ? -__builtin_nan("") : __builtin_nan("");
    }
    int hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    if (hexadecimal) {
        const char *first = at + 2;
        if (*first == '.')
            first++;
        hexadecimal = __hone_isxdigit((unsigned char)*first) != 0;
    }
    const char *begin = hexadecimal ? at + 2 : at;
    const char *point = __hone__digits(begin, hexadecimal);
    const char *stop = *point == '.' ? __hone__digits(point + 1, hexadecimal) : point;
    if (stop == begin || stop == begin + 1 && *begin == '.') {
        if (end)
            *end = (char *)s;
        return 0;
    }
    int is_short = stop - begin <= (hexadecimal ? 14 : 16);
    unsigned long long mantissa = 0;
    for (const char *digit = begin; is_short && digit < stop; digit++) {
        if (hexadecimal && *digit > '9')
            mantissa = 16 * mantissa + ((*digit | 32) - 'a' + 10);
        else if (*digit != '.')
            mantissa = (hexadecimal ? 16 : 10) * mantissa + (*digit - '0');
    }
    int exponent = *point == '.' ? (hexadecimal ? 4 : 1) * (int)(point + 1 - stop) : 0;
    if (hexadecimal ? *stop == 'p' || *stop == 'P' : *stop == 'e' || *stop == 'E') {
        const char *power = stop + 1;
        int below = *power == '-';
        if (*power == '-' || *power == '+')
            power++;
        if (__hone_isdigit((unsigned char)*power)) {
            int value = 0;
            for (; __hone_isdigit((unsigned char)*power); power++) {
                if (value < 3000)
                    value = 10 * value + (*power - '0');
            }
            exponent += below ? -value : value;
            stop = power;
        }
    }
    if (end)
        *end = (char *)stop;
    if (mantissa == 0 && is_short)
        return negative ? -0.0 : 0.0;
    int most = hexadecimal ? 900 : 22;
    if (!is_short || mantissa >> 53 || exponent < -most || exponent > most) {
        *special = 0;
        return 0;
    }
    double power = 1;
    for (int i = 0; i < exponent || i < -exponent; i++)
        power *= hexadecimal ? 2 : 10;
    double value = (double)mantissa;
    value = exponent < 0 ? value / power : value * power;
    return negative ? -value : value;
}

double __hone_strtod(const char *s, char **end)
{
    int special;
    double value = __hone__parse_float(s, end, &special);
    if (special)
        return value;
    if (__hone__any_int())
        __hone__errno = 34;
    return __hone__float_value(s);
}

double __hone_atof(const char *s)
{
    return __hone_strtod(s, (char **)0);
}

float __hone_strtof(const char *s, char **end)
{
    int special;
    double value = __hone__parse_float(s, end, &special);
    if (special && (value != value || value == (float)value))
        return (float)value;
    if (__hone__any_int())
        __hone__errno = 34;
    return __hone__short_float_value(s);
}
