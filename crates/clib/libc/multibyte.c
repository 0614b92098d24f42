// In the C locale. Bytes beyond ASCII are no characters for glibc; others may have some for them.
static int __hone__decode(__hone_wchar_t *to, unsigned char byte)
{
    int character = byte;
    if (byte > 127) {
        character = __hone__any_int();
        if (character <= 127 || character > 0x10ffff) {
            __hone__errno = 84;
            return -1;
        }
    }
    if (to)
        *to = character;
    return byte != 0;
}

static int __hone__encode(char *to, __hone_uint32_t c)
{
    int byte = (int)(c & 127);
    if (c > 127) {
        byte = __hone__any_int();
        if (byte < 128 || byte > 255) {
            __hone__errno = 84;
            return -1;
        }
    }
    *to = (char)byte;
    return 1;
}

int __hone_mbtowc(__hone_wchar_t *to, const char *s, __hone_size_t n)
{
    if (!s)
        return 0;
    if (n > 0)
        return __hone__decode(to, (unsigned char)*s);
    // No byte is a character, but glibc looks at one.
    return __hone__any_int() ? __hone__decode(to, 0) : -1;
}

int __hone_mblen(const char *s, __hone_size_t n)
{
    return __hone_mbtowc((__hone_wchar_t *)0, s, n);
}

int __hone_wctomb(char *s, __hone_wchar_t c)
{
    return s ? __hone__encode(s, (unsigned)c) : 0;
}

__hone_size_t __hone_mbrtowc(__hone_wchar_t *to, const char *s, __hone_size_t n, void *state)
{
    if (!s)
        return 0;
    return n == 0 ? (__hone_size_t)-2 : (__hone_size_t)__hone__decode(to, (unsigned char)*s);
}

__hone_size_t __hone_mbrlen(const char *s, __hone_size_t n, void *state)
{
    return __hone_mbrtowc((__hone_wchar_t *)0, s, n, state);
}

__hone_size_t __hone_wcrtomb(char *s, __hone_wchar_t c, void *state)
{
    return s ? (__hone_size_t)__hone__encode(s, (unsigned)c) : 1;
}

__hone_size_t __hone_mbsrtowcs(__hone_wchar_t *to, const char **from, __hone_size_t n, void *state)
{
    const char *s = *from;
    for (__hone_size_t i = 0; !to || i < n; i++) {
        int length = __hone__decode(to ? to + i : to, (unsigned char)s[i]);
        if (to)
            *from = length ? s + i : (const char *)0;
        if (length < 0)
            return (__hone_size_t)-1;
        if (length == 0)
            return i;
    }
    *from = s + n;
    return n;
}

__hone_size_t __hone_mbstowcs(__hone_wchar_t *to, const char *s, __hone_size_t n)
{
    return __hone_mbsrtowcs(to, &s, n, (void *)0);
}

__hone_size_t __hone_wcsrtombs(char *to, const __hone_wchar_t **from, __hone_size_t n, void *state)
{
    const __hone_wchar_t *s = *from;
    for (__hone_size_t i = 0; !to || i < n; i++) {
        char byte;
        int length = __hone__encode(to ? to + i : &byte, (unsigned)s[i]);
        if (to)
            *from = length < 0 || s[i] ? s + i : (const __hone_wchar_t *)0;
        if (length < 0)
            return (__hone_size_t)-1;
        if (!s[i])
            return i;
    }
    *from = s + n;
    return n;
}

__hone_size_t __hone_wcstombs(char *to, const __hone_wchar_t *s, __hone_size_t n)
{
    return __hone_wcsrtombs(to, &s, n, (void *)0);
}

int __hone_mbsinit(const void *state)
{
    return !state || *(const int *)state == 0;
}

__hone_uint32_t __hone_btowc(int c)
{
    if (c >= 0 && c < 128)
        return (__hone_uint32_t)c;
    int other = __hone__any_int();
    return c >= -128 && c < 256 && c != -1 && other > 127 ? (__hone_uint32_t)other : (__hone_uint32_t)-1;
}

int __hone_wctob(__hone_uint32_t c)
{
    if (c < 128)
        return (int)c;
    int byte = __hone__any_int();
    return c != (__hone_uint32_t)-1 && byte > 127 && byte < 256 ? byte : -1;
}
