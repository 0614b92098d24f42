__hone_size_t __hone_wcslen(const __hone_wchar_t *s)
{
    __hone_size_t n = 0;
    while (s[n])
        n++;
    return n;
}

__hone_size_t __hone_wcsnlen(const __hone_wchar_t *s, __hone_size_t max)
{
    __hone_size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

__hone_wchar_t *__hone_wcscpy(__hone_wchar_t *dst, const __hone_wchar_t *src)
{
    __hone_size_t i = 0;
    while ((dst[i] = src[i]))
        i++;
    return dst;
}

__hone_wchar_t *__hone_wcpcpy(__hone_wchar_t *dst, const __hone_wchar_t *src)
{
    while ((*dst = *src)) {
        dst++;
        src++;
    }
    return dst;
}

__hone_wchar_t *__hone_wcsncpy(__hone_wchar_t *dst, const __hone_wchar_t *src, __hone_size_t n)
{
    __hone_size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (; i < n; i++)
        dst[i] = 0;
    return dst;
}

__hone_wchar_t *__hone_wcpncpy(__hone_wchar_t *dst, const __hone_wchar_t *src, __hone_size_t n)
{
    __hone_size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (__hone_size_t j = i; j < n; j++)
        dst[j] = 0;
    return dst + i;
}

__hone_wchar_t *__hone_wcscat(__hone_wchar_t *dst, const __hone_wchar_t *src)
{
    __hone_wcscpy(dst + __hone_wcslen(dst), src);
    return dst;
}

__hone_wchar_t *__hone_wcsncat(__hone_wchar_t *dst, const __hone_wchar_t *src, __hone_size_t max)
{
    __hone_size_t n = __hone_wcslen(dst), i = 0;
    for (; i < max && src[i]; i++)
        dst[n + i] = src[i];
    dst[n + i] = 0;
    return dst;
}

int __hone_wcscmp(const __hone_wchar_t *a, const __hone_wchar_t *b)
{
    for (; *a && *a == *b; a++)
        b++;
    return *a < *b ? -1 : *a > *b;
}

int __hone_wcscoll(const __hone_wchar_t *a, const __hone_wchar_t *b)
{
    return __hone_wcscmp(a, b);
}

int __hone_wcsncmp(const __hone_wchar_t *a, const __hone_wchar_t *b, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (!a[i])
            break;
    }
    return 0;
}

__hone_wchar_t *__hone_wcschr(const __hone_wchar_t *s, __hone_wchar_t c)
{
    for (;; s++) {
        if (*s == c)
            return (__hone_wchar_t *)s;
        if (!*s)
            return (__hone_wchar_t *)0;
    }
}

__hone_wchar_t *__hone_wcschrnul(const __hone_wchar_t *s, __hone_wchar_t c)
{
    while (*s && *s != c)
        s++;
    return (__hone_wchar_t *)s;
}

__hone_wchar_t *__hone_wcsrchr(const __hone_wchar_t *s, __hone_wchar_t c)
{
    const __hone_wchar_t *found = (const __hone_wchar_t *)0;
    for (;; s++) {
        if (*s == c)
            found = s;
        if (!*s)
            return (__hone_wchar_t *)found;
    }
}

__hone_size_t __hone_wcsspn(const __hone_wchar_t *s, const __hone_wchar_t *accept)
{
    __hone_size_t i = 0;
    for (; s[i]; i++) {
        __hone_size_t j = 0;
        while (accept[j] && accept[j] != s[i])
            j++;
        if (!accept[j])
            break;
    }
    return i;
}

__hone_size_t __hone_wcscspn(const __hone_wchar_t *s, const __hone_wchar_t *accept)
{
    __hone_size_t i = 0;
    for (; s[i]; i++) {
        __hone_size_t j = 0;
        while (accept[j] && accept[j] != s[i])
            j++;
        if (accept[j])
            break;
    }
    return i;
}

__hone_wchar_t *__hone_wcspbrk(const __hone_wchar_t *s, const __hone_wchar_t *accept)
{
    s += __hone_wcscspn(s, accept);
    return *s ? (__hone_wchar_t *)s : (__hone_wchar_t *)0;
}

__hone_wchar_t *__hone_wcsstr(const __hone_wchar_t *s, const __hone_wchar_t *find)
{
    for (;; s++) {
        __hone_size_t i = 0;
        while (find[i] && s[i] == find[i])
            i++;
        if (!find[i])
            return (__hone_wchar_t *)s;
        if (!*s)
            return (__hone_wchar_t *)0;
    }
}

__hone_wchar_t *__hone_wcswcs(const __hone_wchar_t *s, const __hone_wchar_t *find)
{
    return __hone_wcsstr(s, find);
}

__hone_wchar_t *__hone_wcstok(__hone_wchar_t *s, const __hone_wchar_t *delimiters, __hone_wchar_t **rest)
{
    if (!s)
        s = *rest;
    if (!s) {
        __hone__errno = 22;
        return (__hone_wchar_t *)0;
    }
    s += __hone_wcsspn(s, delimiters);
    if (!*s) {
        *rest = (__hone_wchar_t *)0;
        return (__hone_wchar_t *)0;
    }
    __hone_wchar_t *end = s + __hone_wcscspn(s, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = (__hone_wchar_t *)0;
    }
    return s;
}

__hone_wchar_t *__hone_wcsdup(const __hone_wchar_t *s)
{
    __hone_size_t n = __hone_wcslen(s) + 1;
    __hone_wchar_t *copy = __hone_malloc(n * sizeof *copy);
    if (copy) {
        for (__hone_size_t i = 0; i < n; i++)
            copy[i] = s[i];
    }
    return copy;
}

__hone_wchar_t *__hone_wmemset(__hone_wchar_t *dst, __hone_wchar_t c, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++)
        dst[i] = c;
    return dst;
}

__hone_wchar_t *__hone_wmemcpy(__hone_wchar_t *dst, const __hone_wchar_t *src, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++)
        dst[i] = src[i];
    return dst;
}

__hone_wchar_t *__hone_wmempcpy(__hone_wchar_t *dst, const __hone_wchar_t *src, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++)
        dst[i] = src[i];
    return dst + n;
}

__hone_wchar_t *__hone_wmemmove(__hone_wchar_t *dst, const __hone_wchar_t *src, __hone_size_t n)
{
    if (dst <= src) {
        for (__hone_size_t i = 0; i < n; i++)
            dst[i] = src[i];
    } else {
        for (__hone_size_t i = n; i > 0; i--)
            dst[i - 1] = src[i - 1];
    }
    return dst;
}

int __hone_wmemcmp(const __hone_wchar_t *a, const __hone_wchar_t *b, __hone_size_t n)
{
    __hone_wchar_t last;
    // All characters have to be there, wherever the first difference is.
    if (n > 0) {
        last = a[n - 1];
        last = b[n - 1];
    }
    for (__hone_size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

__hone_wchar_t *__hone_wmemchr(const __hone_wchar_t *s, __hone_wchar_t c, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++) {
        if (s[i] == c)
            return (__hone_wchar_t *)(s + i);
    }
    return (__hone_wchar_t *)0;
}

int __hone_iswalnum(__hone_uint32_t c)
{
    return c < 128 ? __hone_isalnum((int)c) : 0;
}

int __hone_iswalpha(__hone_uint32_t c)
{
    return c < 128 ? __hone_isalpha((int)c) : 0;
}

int __hone_iswblank(__hone_uint32_t c)
{
    return c < 128 ? __hone_isblank((int)c) : 0;
}

int __hone_iswcntrl(__hone_uint32_t c)
{
    return c < 128 ? __hone_iscntrl((int)c) : 0;
}

int __hone_iswdigit(__hone_uint32_t c)
{
    return c < 128 ? __hone_isdigit((int)c) : 0;
}

int __hone_iswgraph(__hone_uint32_t c)
{
    return c < 128 ? __hone_isgraph((int)c) : 0;
}

int __hone_iswlower(__hone_uint32_t c)
{
    return c < 128 ? __hone_islower((int)c) : 0;
}

int __hone_iswprint(__hone_uint32_t c)
{
    return c < 128 ? __hone_isprint((int)c) : 0;
}

int __hone_iswpunct(__hone_uint32_t c)
{
    return c < 128 ? __hone_ispunct((int)c) : 0;
}

int __hone_iswspace(__hone_uint32_t c)
{
    return c < 128 ? __hone_isspace((int)c) : 0;
}

int __hone_iswupper(__hone_uint32_t c)
{
    return c < 128 ? __hone_isupper((int)c) : 0;
}

int __hone_iswxdigit(__hone_uint32_t c)
{
    return c < 128 ? __hone_isxdigit((int)c) : 0;
}

__hone_uint32_t __hone_towlower(__hone_uint32_t c)
{
    return c < 128 ? (__hone_uint32_t)__hone_tolower((int)c) : c;
}

__hone_uint32_t __hone_towupper(__hone_uint32_t c)
{
    return c < 128 ? (__hone_uint32_t)__hone_toupper((int)c) : c;
}

int __hone_wcscasecmp(const __hone_wchar_t *a, const __hone_wchar_t *b)
{
    for (__hone_size_t i = 0;; i++) {
        __hone_uint32_t x = __hone_towlower((__hone_uint32_t)a[i]), y = __hone_towlower((__hone_uint32_t)b[i]);
        if (x != y)
            return (int)(x - y);
        if (!x)
            return 0;
    }
}

int __hone_wcsncasecmp(const __hone_wchar_t *a, const __hone_wchar_t *b, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++) {
        __hone_uint32_t x = __hone_towlower((__hone_uint32_t)a[i]), y = __hone_towlower((__hone_uint32_t)b[i]);
        if (x != y)
            return (int)(x - y);
        if (!x)
            return 0;
    }
    return 0;
}

__hone_size_t __hone_wcsxfrm(__hone_wchar_t *dst, const __hone_wchar_t *src, __hone_size_t n)
{
    __hone_size_t length = __hone_wcslen(src);
    for (__hone_size_t i = 0; i < n && i <= length; i++)
        dst[i] = src[i];
    return length;
}

int __hone_wcwidth(__hone_wchar_t c)
{
    return c >= 32 && c < 127 ? 1 : c == 0 ? 0 : -1;
}

int __hone_wcswidth(const __hone_wchar_t *s, __hone_size_t n)
{
    int width = 0;
    for (__hone_size_t i = 0; i < n && s[i]; i++) {
        if (__hone_wcwidth(s[i]) < 0)
            return -1;
        width++;
    }
    return width;
}

static const char *const __hone__kinds[12] = {
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"
};

unsigned long __hone_wctype(const char *name)
{
    for (int i = 0; i < 12; i++) {
        if (__hone_strcmp(name, __hone__kinds[i]) == 0)
            return (unsigned long)(__hone__kinds + i);
    }
    return 0;
}

int __hone_iswctype(unsigned c, unsigned long kind)
{
    static int (*const tests[12])(unsigned) = {
        __hone_iswalnum, __hone_iswalpha, __hone_iswblank, __hone_iswcntrl, __hone_iswdigit, __hone_iswgraph,
        __hone_iswlower, __hone_iswprint, __hone_iswpunct, __hone_iswspace, __hone_iswupper, __hone_iswxdigit
    };
    for (int i = 0; i < 12; i++) {
        if (kind == (unsigned long)(__hone__kinds + i))
            return tests[i](c);
    }
    return 0;
}

static const int __hone__cases[2];

const int *__hone_wctrans(const char *name)
{
    if (__hone_strcmp(name, "tolower") == 0)
        return __hone__cases;
    return __hone_strcmp(name, "toupper") == 0 ? __hone__cases + 1 : (const int *)0;
}

unsigned __hone_towctrans(unsigned c, const int *mapping)
{
    if (mapping == __hone__cases)
        return __hone_towlower(c);
    return mapping == __hone__cases + 1 ? __hone_towupper(c) : c;
}
