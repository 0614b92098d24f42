int __hone_bcmp(const void *a, const void *b, __hone_size_t n)
{
    return __hone_memcmp(a, b, n);
}

void __hone_bcopy(const void *src, void *dst, __hone_size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    if (d <= s) {
        for (__hone_size_t i = 0; i < n; i++)
            d[i] = s[i];
    } else {
        for (__hone_size_t i = n; i > 0; i--)
            d[i - 1] = s[i - 1];
    }
}

void __hone_bzero(void *dst, __hone_size_t n)
{
    unsigned char *d = dst;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = 0;
}

void *__hone_memchr(const void *s, int c, __hone_size_t n)
{
    const unsigned char *p = s;
    for (__hone_size_t i = 0; i < n; i++) {
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    }
    return (void *)0;
}

int __hone_memcmp(const void *a, const void *b, __hone_size_t n)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    unsigned char last;
    // All bytes have to be there, wherever the first difference is.
    if (n > 0) {
        last = x[n - 1];
        last = y[n - 1];
    }
    for (__hone_size_t i = 0; i < n; i++) {
        if (x[i] != y[i])
            return x[i] - y[i];
    }
    return 0;
}

void *__hone_memcpy(void *dst, const void *src, __hone_size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = s[i];
    return dst;
}

void *__hone_memmove(void *dst, const void *src, __hone_size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    if (d <= s) {
        for (__hone_size_t i = 0; i < n; i++)
            d[i] = s[i];
    } else {
        for (__hone_size_t i = n; i > 0; i--)
            d[i - 1] = s[i - 1];
    }
    return dst;
}

void *__hone_mempcpy(void *dst, const void *src, __hone_size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = s[i];
    return d + n;
}

void *__hone_memset(void *dst, int c, __hone_size_t n)
{
    unsigned char *d = dst;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = (unsigned char)c;
    return dst;
}

void *__hone_memccpy(void *dst, const void *src, int c, __hone_size_t n)
{
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (__hone_size_t i = 0; i < n; i++) {
        d[i] = s[i];
        if (s[i] == (unsigned char)c)
            return d + i + 1;
    }
    return (void *)0;
}

void *__hone_memrchr(const void *s, int c, __hone_size_t n)
{
    const unsigned char *at = s;
    while (n > 0) {
        n--;
        if (at[n] == (unsigned char)c)
            return (void *)(at + n);
    }
    return (void *)0;
}

void *__hone_rawmemchr(const void *s, int c)
{
    const unsigned char *at = s;
    while (*at != (unsigned char)c)
        at++;
    return (void *)at;
}

void *__hone_memmem(const void *s, __hone_size_t n, const void *find, __hone_size_t len)
{
    const unsigned char *at = s;
    const unsigned char *f = find;
    for (__hone_size_t i = 0; len <= n && i <= n - len; i++) {
        __hone_size_t j = 0;
        while (j < len && at[i + j] == f[j])
            j++;
        if (j == len)
            return (void *)(at + i);
    }
    return (void *)0;
}

void __hone_explicit_bzero(void *dst, __hone_size_t n)
{
    unsigned char *d = dst;
    for (__hone_size_t i = 0; i < n; i++)
        d[i] = 0;
}

void __hone_swab(const void *from, void *to, long n)
{
    const char *s = from;
    char *d = to;
    for (long i = 0; i + 1 < n; i += 2) {
        char first = s[i];
        d[i] = s[i + 1];
        d[i + 1] = first;
    }
}

int __hone_ffs(int value)
{
    unsigned rest = (unsigned)value;
    for (int i = 1; i <= (int)(8 * sizeof rest); i++) {
        if (rest & 1)
            return i;
        rest >>= 1;
    }
    return 0;
}

int __hone_ffsl(long value)
{
    unsigned long rest = (unsigned long)value;
    for (int i = 1; i <= (int)(8 * sizeof rest); i++) {
        if (rest & 1)
            return i;
        rest >>= 1;
    }
    return 0;
}

int __hone_ffsll(long long value)
{
    unsigned long long rest = (unsigned long long)value;
    for (int i = 1; i <= (int)(8 * sizeof rest); i++) {
        if (rest & 1)
            return i;
        rest >>= 1;
    }
    return 0;
}

static int __hone__is_big_endian(void)
{
    union { unsigned short value; unsigned char first; } one;
    one.value = 1;
    return one.first == 0;
}

__hone_uint32_t __hone_htonl(__hone_uint32_t x)
{
    if (__hone__is_big_endian())
        return x;
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

__hone_uint32_t __hone_ntohl(__hone_uint32_t x)
{
    return __hone_htonl(x);
}

unsigned short __hone_htons(unsigned short x)
{
    if (__hone__is_big_endian())
        return x;
    return (unsigned short)(x << 8 | x >> 8);
}

unsigned short __hone_ntohs(unsigned short x)
{
    return __hone_htons(x);
}

void *__hone_memfrob(void *s, __hone_size_t n)
{
    unsigned char *at = s;
    for (__hone_size_t i = 0; i < n; i++)
        at[i] ^= 42;
    return s;
}
