static const char *__hone__skip(const char *at)
{
    while (*at == ' ' || *at >= '\t' && *at <= '\r')
        at++;
    return at;
}

static int __hone__scan_integer(const char **from, int base, int width, int is_signed, unsigned long long greatest,
                                unsigned long long *value)
{
    const char *at = __hone__skip(*from);
    const char *stop = width > 0 ? at + width : (const char *)0;
    int negative = 0, some = 0, overflow = 0;
    if (at != stop && (*at == '-' || *at == '+')) {
        negative = *at == '-';
        at++;
    }
    if ((base == 0 || base == 16) && at != stop && *at == '0') {
        at++;
        some = 1;
        if (at != stop && (*at == 'x' || *at == 'X')) {
            at++;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    unsigned long long limit = is_signed ? greatest / 2 + negative : greatest;
    unsigned long long most = limit / base, total = 0;
    int last = (int)(limit % base);
    for (; at != stop; at++) {
        int digit = *at >= '0' && *at <= '9' ? *at - '0' : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : *at >= 'A' && *at <= 'F' ? *at - 'A' + 10 : 16;
        if (digit >= base)
            break;
        if (total > most || total == most && digit > last)
            overflow = 1;
        else
            total = total * base + digit;
        some = 1;
    }
    if (overflow)
        total = limit;
    *from = at;
    *value = negative && (is_signed || !overflow) ? -total : total;
    return some;
}

static int __hone__in_set(const char *set, const char *end, char c)
{
    int inverted = *set == '^', found = 0;
    if (inverted)
        set++;
    const char *first = set;
    while (set < end) {
        if (set > first && *set == '-' && set + 1 < end) {
            found = found || c >= set[-1] && c <= set[1];
            set += 2;
        } else {
            found = found || c == *set;
            set++;
        }
    }
    return found != inverted;
}

int __hone_vsscanf(const char *s, const char *format, __builtin_va_list args)
{
    const char *at = s;
    int count = 0;
    for (; *format; format++) {
        if (*format == ' ' || *format >= '\t' && *format <= '\r') {
            at = __hone__skip(at);
            continue;
        }
        if (*format != '%') {
            if (!*at)
                return count ? count : -1;
            if (*at != *format)
                return count;
            at++;
            continue;
        }
        format++;
        if (*format == '%') {
            at = __hone__skip(at);
            if (!*at)
                return count ? count : -1;
            if (*at != '%')
                return count;
            at++;
            continue;
        }
        int drop = *format == '*', width = 0, length = 0;
        if (drop)
            format++;
        for (; *format >= '0' && *format <= '9'; format++)
            width = 10 * width + (*format - '0');
        switch (*format) {
        case 'h':
            length = format[1] == 'h' ? 'H' : 'h';
            break;
        case 'l':
            length = format[1] == 'l' ? 'q' : 'l';
            break;
        case 'j': case 'z': case 't': case 'L': case 'q':
            length = *format;
        }
        if (length)
            format += length == 'H' || length == 'q' && *format == 'l' ? 2 : 1;
        int conversion = *format;
        const char *set = (const char *)0, *set_end = (const char *)0;
        if (conversion == 'n') {
            if (drop)
                continue;
            switch (length) {
            case 0: *__builtin_va_arg(args, int *) = (int)(at - s); break;
            case 'H': *__builtin_va_arg(args, signed char *) = (signed char)(at - s); break;
            case 'h': *__builtin_va_arg(args, short *) = (short)(at - s); break;
            case 'l': *__builtin_va_arg(args, long *) = (long)(at - s); break;
            case 'z': case 't': *__builtin_va_arg(args, __hone_size_t *) = (__hone_size_t)(at - s); break;
            default: *__builtin_va_arg(args, long long *) = (long long)(at - s);
            }
            continue;
        }
        if (conversion != 'c' && conversion != '[')
            at = __hone__skip(at);
        if (!*at)
            return count ? count : -1;
        switch (conversion) {
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': {
            int base = conversion == 'i' ? 0 : conversion == 'o' ? 8 : conversion == 'd' || conversion == 'u' ? 10 : 16;
            int is_longest = length == 'q' || length == 'j' || length == 'L', is_size = length == 'z' || length == 't';
            unsigned long long value, most = is_size ? (__hone_size_t)-1 : (unsigned long)-1;
            unsigned long long greatest = is_longest ? (unsigned long long)-1 : most;
            if (!__hone__scan_integer(&at, base, width, conversion == 'd' || conversion == 'i', greatest, &value))
                return count;
            if (drop)
                continue;
            switch (length) {
            case 0: *__builtin_va_arg(args, int *) = (int)value; break;
            case 'H': *__builtin_va_arg(args, signed char *) = (signed char)value; break;
            case 'h': *__builtin_va_arg(args, short *) = (short)value; break;
            case 'l': *__builtin_va_arg(args, long *) = (long)value; break;
            case 'z': case 't': *__builtin_va_arg(args, __hone_size_t *) = (__hone_size_t)value; break;
            default: *__builtin_va_arg(args, long long *) = (long long)value;
            }
            break;
        }
        case '[':
            format++;
            set = format;
            if (*format == '^')
                format++;
            if (*format)
                format++;
            while (*format && *format != ']')
                format++;
            set_end = format;
            if (!*format)
                return count;
        case 's':
        case 'c': {
            if (length == 'l')
                __hone__unsupported();
            char *out = drop ? (char *)0 : __builtin_va_arg(args, char *);
            int i = 0;
            if (conversion == 'c' && !width)
                width = 1;
            while (at[i] && (!width || i < width)) {
                char c = at[i];
                if (conversion == 's' && (c == ' ' || c >= '\t' && c <= '\r'))
                    break;
                if (conversion == '[' && !__hone__in_set(set, set_end, c))
                    break;
                if (out)
                    out[i] = c;
                i++;
            }
            if (i == 0)
                return count;
            if (conversion != 'c' && out)
                out[i] = 0;
            at += i;
            if (drop)
                continue;
            break;
        }
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': {
            if (width || length == 'L')
                __hone__unsupported();
            char *end;
            double value = __hone_strtod(at, &end);
            if (end == at)
                return count;
            if (!drop && length == 'l')
                *__builtin_va_arg(args, double *) = value;
            else if (!drop)
                *__builtin_va_arg(args, float *) = __hone_strtof(at, &end);
            at = end;
            if (drop)
                continue;
            break;
        }
        default:
            __hone__unsupported();
        }
        count++;
    }
    return count;
}

int __hone_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = __hone_vsscanf(s, format, args);
    __builtin_va_end(args);
    return count;
}

int __hone___isoc99_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = __hone_vsscanf(s, format, args);
    __builtin_va_end(args);
    return count;
}

int __hone___isoc99_vsscanf(const char *s, const char *format, __builtin_va_list args)
{
    return __hone_vsscanf(s, format, args);
}
