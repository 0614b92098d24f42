static void __hone__put(char *dst, __hone_size_t size, __hone_size_t at, char c)
{
    if (at < size)
        dst[at] = c;
}

static __hone_size_t __hone__fill(char *dst, __hone_size_t size, __hone_size_t at, char c, int count)
{
    for (int i = 0; i < count; i++)
        __hone__put(dst, size, at + i, c);
    return count > 0 ? at + count : at;
}

// How many digits there are is found by comparisons, so that lengths of texts don't depend on divisions. The bounds of the loops follow from
// the widths of types.
static __hone_size_t __hone__put_integer(char *dst, __hone_size_t size, __hone_size_t at, unsigned long long value,
                                         int conversion, char sign, int left, int zero, int alternate, int width, int precision)
{
    char digits[24];
    int count = 0;
    if (value != 0 || precision != 0) {
        if (conversion == 'x' || conversion == 'X' || conversion == 'o') {
            int shift = conversion == 'o' ? 3 : 4;
            unsigned long long rest = value;
            do {
                int digit = (int)rest & (conversion == 'o' ? 7 : 15);
                digits[count] = (char)(digit < 10 ? '0' + digit : (conversion == 'x' ? 'a' : 'A') + digit - 10);
                count++;
                rest >>= shift;
            } while (rest && count < 22);
        } else if (value <= (unsigned)-1) {
            unsigned rest = (unsigned)value, power = 10;
            count = 1;
            while (count < (sizeof(unsigned) == 2 ? 5 : 10) && rest >= power) {
                count++;
                power *= 10;
            }
            for (int i = 0; i < count; i++) {
                digits[i] = (char)('0' + rest % 10);
                rest /= 10;
            }
        } else {
            unsigned long long rest = value, power = 10;
            count = 1;
            while (count < 20 && rest >= power) {
                count++;
                power *= 10;
            }
            for (int i = 0; i < count; i++) {
                digits[i] = (char)('0' + rest % 10);
                rest /= 10;
            }
        }
    }
    int zeros = precision > count ? precision - count : 0;
    if (alternate && conversion == 'o' && zeros == 0 && (count == 0 || digits[count - 1] != '0'))
        zeros = 1;
    int prefix = alternate && conversion != 'o' && (conversion == 'x' || conversion == 'X') && value != 0 ? 2 : sign != 0;
    int taken = prefix + zeros + count;
    int blanks = width > taken ? width - taken : 0;
    if (zero && !left && precision < 0) {
        zeros += blanks;
        blanks = 0;
    }
    if (!left)
        at = __hone__fill(dst, size, at, ' ', blanks);
    if (prefix == 2) {
        __hone__put(dst, size, at, '0');
        __hone__put(dst, size, at + 1, (char)conversion);
        at += 2;
    } else if (prefix == 1) {
        __hone__put(dst, size, at, sign);
        at++;
    }
    at = __hone__fill(dst, size, at, '0', zeros);
    for (int i = 0; i < count; i++)
        __hone__put(dst, size, at + i, digits[count - 1 - i]);
    at += count;
    if (left)
        at = __hone__fill(dst, size, at, ' ', blanks);
    return at;
}

static __hone_size_t __hone__put_float(char *dst, __hone_size_t size, __hone_size_t at, double value, int conversion, int flags,
                                       int width, int precision)
{
    __hone_size_t begin = at;
    for (int i = 0;; i++) {
        int c = __hone__float_digit(value, conversion | flags << 8, width, precision, i);
        if (!c)
            break;
        __hone__require(c >= ' ' && c <= 'z');
        __hone__put(dst, size, at, (char)c);
        at++;
    }
    __hone_size_t length = at - begin;
    __hone_size_t padded = width > 0 ? width : 0, digits = precision < 0 ? 6 : precision;
    __hone__require(length >= 1 && length >= padded);
    __hone__require(length <= padded || length <= digits + ((conversion | 32) == 'f' ? 311 : 32));
    return at;
}

static long long __hone__signed_argument(int length, long long wide, int narrow)
{
    switch (length) {
    case 'H':
        return (signed char)narrow;
    case 'h':
        return (short)narrow;
    case 0:
        return narrow;
    default:
        return wide;
    }
}

static unsigned long long __hone__unsigned_argument(int length, unsigned long long wide, int narrow)
{
    switch (length) {
    case 'H':
        return (unsigned char)narrow;
    case 'h':
        return (unsigned short)narrow;
    case 0:
        return (unsigned)narrow;
    default:
        return wide;
    }
}

static __hone_size_t __hone__put_signed(char *dst, __hone_size_t size, __hone_size_t at, long long value, int flags, int width,
                                        int precision)
{
    char sign = value < 0 ? '-' : flags & 2 ? '+' : flags & 4 ? ' ' : 0;
    unsigned long long magnitude;
    if (value == (int)value)
        magnitude = value < 0 ? -(unsigned)value : (unsigned)value;
    else
        magnitude = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    return __hone__put_integer(dst, size, at, magnitude, 'd', sign, flags & 1, flags >> 4, 0, width, precision);
}

static __hone_size_t __hone__put_character(char *dst, __hone_size_t size, __hone_size_t at, char c, int flags, int width)
{
    if (!(flags & 1))
        at = __hone__fill(dst, size, at, ' ', width - 1);
    __hone__put(dst, size, at, c);
    at++;
    if (flags & 1)
        at = __hone__fill(dst, size, at, ' ', width - 1);
    return at;
}

static __hone_size_t __hone__put_text(char *dst, __hone_size_t size, __hone_size_t at, const char *text, int flags, int width,
                                      int precision)
{
    __hone_size_t most = precision < 0 ? (__hone_size_t)-1 : (__hone_size_t)precision, count = 0;
    if (width > 0 && !(flags & 1)) {
        while (count < most && text[count])
            count++;
        if (count < (__hone_size_t)width)
            at = __hone__fill(dst, size, at, ' ', width - (int)count);
    }
    for (count = 0; count < most && text[count]; count++)
        __hone__put(dst, size, at + count, text[count]);
    at += count;
    if (flags & 1 && width > 0 && count < (__hone_size_t)width)
        at = __hone__fill(dst, size, at, ' ', width - (int)count);
    return at;
}

static __hone_size_t __hone__put_pointer(char *dst, __hone_size_t size, __hone_size_t at, void *pointer, int flags, int width,
                                         int precision)
{
    if (pointer) {
        unsigned long long value = (__hone_size_t)pointer;
        return __hone__put_integer(dst, size, at, value, 'x', 0, flags & 1, flags >> 4, 1, width, precision);
    }
    return __hone__put_text(dst, size, at, "(nil)", flags, width, -1);
}

static int __hone__printed(char *dst, __hone_size_t size, __hone_size_t at)
{
    if (size > 0)
        dst[at < size ? at : size - 1] = 0;
    if (at > (unsigned)-1 / 2)
        return -1;
    return (int)at;
}

int __hone_vsnprintf(char *dst, __hone_size_t size, const char *format, __builtin_va_list args)
{
    __hone_size_t at = 0;
    while (*format) {
        if (*format != '%') {
            __hone__put(dst, size, at, *format);
            at++;
            format++;
            continue;
        }
        format++;
        int left = 0, plus = 0, space = 0, alternate = 0, zero = 0, width = 0, precision = -1, length = 0;
        for (int more = 1; more;) {
            switch (*format) {
            case '-': left = 1; format++; break;
            case '+': plus = 1; format++; break;
            case ' ': space = 1; format++; break;
            case '#': alternate = 1; format++; break;
            case '0': zero = 1; format++; break;
            default: more = 0;
            }
        }
        if (*format == '*') {
            width = __builtin_va_arg(args, int);
            if (width < 0) {
                left = 1;
                width = -width;
            }
            format++;
        } else {
            for (; *format >= '0' && *format <= '9'; format++)
                width = 10 * width + (*format - '0');
        }
        if (*format == '.') {
            format++;
            precision = 0;
            if (*format == '*') {
                precision = __builtin_va_arg(args, int);
                if (precision < 0)
                    precision = -1;
                format++;
            } else {
                for (; *format >= '0' && *format <= '9'; format++)
                    precision = 10 * precision + (*format - '0');
            }
        }
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
        if (conversion == 0)
            return -1;
        format++;
        const int flags = left | plus << 1 | space << 2 | alternate << 3 | zero << 4;
        long long wide = 0;
        int narrow = 0;
        switch (conversion) {
        case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
            if (length == 'l')
                wide = __builtin_va_arg(args, long);
            else if (length == 'q' || length == 'j' || length == 'L')
                wide = __builtin_va_arg(args, long long);
            else if (length == 'z' || length == 't')
                wide = __builtin_va_arg(args, __hone_ptrdiff_t);
            else
                narrow = __builtin_va_arg(args, int);
            if (conversion == 'd' || conversion == 'i') {
                long long value = __hone__signed_argument(length, wide, narrow);
                at = __hone__put_signed(dst, size, at, value, flags, width, precision);
            } else {
                unsigned long long value = (unsigned long long)wide;
                if (length == 'l')
                    value = (unsigned long)wide;
                else if (length == 'z' || length == 't')
                    value = (__hone_size_t)wide;
                value = __hone__unsigned_argument(length, value, narrow);
                at = __hone__put_integer(dst, size, at, value, conversion, 0, left, zero, alternate, width, precision);
            }
            break;
        case 'c':
            narrow = __builtin_va_arg(args, int);
            if (length == 'l')
                __hone__unsupported();
            at = __hone__put_character(dst, size, at, (char)narrow, flags, width);
            break;
        case 's': {
            const char *text = __builtin_va_arg(args, const char *);
            if (length == 'l')
                __hone__unsupported();
            at = __hone__put_text(dst, size, at, text, flags, width, precision);
            break;
        }
        case 'p': {
            void *pointer = __builtin_va_arg(args, void *);
            at = __hone__put_pointer(dst, size, at, pointer, flags, width, precision);
            break;
        }
        case 'n':
            switch (length) {
            case 0: *__builtin_va_arg(args, int *) = (int)at; break;
            case 'H': *__builtin_va_arg(args, signed char *) = (signed char)at; break;
            case 'h': *__builtin_va_arg(args, short *) = (short)at; break;
            case 'l': *__builtin_va_arg(args, long *) = (long)at; break;
            case 'z': case 't': *__builtin_va_arg(args, __hone_size_t *) = at; break;
            default: *__builtin_va_arg(args, long long *) = (long long)at;
            }
            break;
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': {
            if (length == 'L')
                __hone__unsupported();
            double value = __builtin_va_arg(args, double);
            at = __hone__put_float(dst, size, at, value, conversion, flags, width, precision);
            break;
        }
        case '%':
            __hone__put(dst, size, at, '%');
            at++;
            break;
        default:
            __hone__unsupported();
        }
    }
    return __hone__printed(dst, size, at);
}

int __hone_snprintf(char *dst, __hone_size_t size, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int length = __hone_vsnprintf(dst, size, format, args);
    __builtin_va_end(args);
    return length;
}

int __hone___snprintf_chk(char *dst, __hone_size_t size, int flag, __hone_size_t room, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int length = __hone_vsnprintf(dst, size, format, args);
    __builtin_va_end(args);
    return length;
}

int __hone___vsnprintf_chk(char *dst, __hone_size_t size, int flag, __hone_size_t room, const char *format,
                           __builtin_va_list args)
{
    return __hone_vsnprintf(dst, size, format, args);
}

int __hone_vsprintf(char *dst, const char *format, __builtin_va_list args)
{
    return __hone_vsnprintf(dst, (__hone_size_t)-1, format, args);
}

int __hone___vsprintf_chk(char *dst, int flag, __hone_size_t room, const char *format, __builtin_va_list args)
{
    return __hone_vsnprintf(dst, (__hone_size_t)-1, format, args);
}

int __hone_sprintf(char *dst, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int length = __hone_vsnprintf(dst, (__hone_size_t)-1, format, args);
    __builtin_va_end(args);
    return length;
}

int __hone___sprintf_chk(char *dst, int flag, __hone_size_t room, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int length = __hone_vsnprintf(dst, (__hone_size_t)-1, format, args);
    __builtin_va_end(args);
    return length;
}

int __hone_vasprintf(char **out, const char *format, __builtin_va_list args)
{
    __builtin_va_list again;
    __builtin_va_copy(again, args);
    int length = __hone_vsnprintf((char *)0, 0, format, again);
    __builtin_va_end(again);
    char *text = (char *)0;
    if (length >= 0 && __hone__any_int())
        text = __hone_malloc((__hone_size_t)length + 1);
    if (!text) {
        if (__hone__any_int())
            *out = (char *)0;
        return -1;
    }
    __hone_vsnprintf(text, (__hone_size_t)length + 1, format, args);
    *out = text;
    return length;
}

int __hone___vasprintf_chk(char **out, int flag, const char *format, __builtin_va_list args)
{
    return __hone_vasprintf(out, format, args);
}

int __hone_asprintf(char **out, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int length = __hone_vasprintf(out, format, args);
    __builtin_va_end(args);
    return length;
}

int __hone___asprintf_chk(char **out, int flag, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int length = __hone_vasprintf(out, format, args);
    __builtin_va_end(args);
    return length;
}

// Whether a format that is no literal has the arguments that it asks for, so many and no pointers. What it does with strings is not known.
int __hone__check_format(const char *format, int arguments)
{
    int needed = 0, known = 1, inside = 0;
    for (; *format; format++) {
        char c = *format;
        if (!inside) {
            inside = c == '%';
        } else if (c == '*') {
            needed++;
        } else if (c == '%') {
            inside = 0;
        } else if (c != '-' && c != '+' && c != ' ' && c != '#' && c != '.' && c != '\'' && (c < '0' || c > '9') &&
                   c != 'h' && c != 'l' && c != 'L' && c != 'q' && c != 'j' && c != 'z' && c != 't') {
            needed += c != 'm';
            known = known && c != 's' && c != 'S' && c != 'n' && c != '$';
            inside = 0;
        }
    }
    return known && !inside && needed <= arguments;
}
