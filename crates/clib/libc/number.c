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
    int is_short = stop - begin <= (hexadecimal ? 14 : 18);
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
