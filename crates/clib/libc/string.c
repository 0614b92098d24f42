char *__hone_index(const char *s, int c)
{
    return __hone_strchr(s, c);
}

char *__hone_rindex(const char *s, int c)
{
    return __hone_strrchr(s, c);
}

char *__hone_stpcpy(char *dst, const char *src)
{
    __hone_size_t i = 0;
    while ((dst[i] = src[i]))
        i++;
    return dst + i;
}

char *__hone_stpncpy(char *dst, const char *src, __hone_size_t n)
{
    __hone_size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (__hone_size_t j = i; j < n; j++)
        dst[j] = 0;
    return dst + i;
}

int __hone_strcasecmp(const char *a, const char *b)
{
    for (;; a++, b++) {
        int x = *(const unsigned char *)a, y = *(const unsigned char *)b;
        if (x >= 'A' && x <= 'Z')
            x += 'a' - 'A';
        if (y >= 'A' && y <= 'Z')
            y += 'a' - 'A';
        if (x != y || !x)
            return x - y;
    }
}

char *__hone_strcat(char *dst, const char *src)
{
    __hone_size_t n = 0, i = 0;
    while (dst[n])
        n++;
    while ((dst[n + i] = src[i]))
        i++;
    return dst;
}

char *__hone_strchr(const char *s, int c)
{
    __hone_size_t i = 0;
    while (s[i] && s[i] != (char)c)
        i++;
    return s[i] == (char)c ? (char *)s + i : (char *)0;
}

int __hone_strcmp(const char *a, const char *b)
{
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    __hone_size_t i = 0;
    while (x[i] && x[i] == y[i])
        i++;
    return x[i] - y[i];
}

char *__hone_strcpy(char *dst, const char *src)
{
    __hone_size_t i = 0;
    while ((dst[i] = src[i]))
        i++;
    return dst;
}

__hone_size_t __hone_strcspn(const char *s, const char *reject)
{
    __hone_size_t n = 0;
    while (s[n]) {
        __hone_size_t i = 0;
        while (reject[i] && reject[i] != s[n])
            i++;
        if (reject[i])
            break;
        n++;
    }
    return n;
}

char *__hone_strdup(const char *s)
{
    __hone_size_t n = __hone_strlen(s) + 1;
    char *copy = __hone_malloc(n);
    if (copy)
        __hone_memcpy(copy, s, n);
    return copy;
}

__hone_size_t __hone_strlen(const char *s)
{
    __hone_size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int __hone_strncasecmp(const char *a, const char *b, __hone_size_t n)
{
    for (__hone_size_t i = 0; i < n; i++) {
        int x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
        if (x >= 'A' && x <= 'Z')
            x += 'a' - 'A';
        if (y >= 'A' && y <= 'Z')
            y += 'a' - 'A';
        if (x != y || !x)
            return x - y;
    }
    return 0;
}

char *__hone_strncat(char *dst, const char *src, __hone_size_t max)
{
    __hone_size_t n = 0, i = 0;
    while (dst[n])
        n++;
    for (; i < max && src[i]; i++)
        dst[n + i] = src[i];
    dst[n + i] = 0;
    return dst;
}

int __hone_strncmp(const char *a, const char *b, __hone_size_t n)
{
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    for (__hone_size_t i = 0; i < n; i++) {
        if (x[i] != y[i] || !x[i])
            return x[i] - y[i];
    }
    return 0;
}

char *__hone_strncpy(char *dst, const char *src, __hone_size_t n)
{
    __hone_size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (; i < n; i++)
        dst[i] = 0;
    return dst;
}

char *__hone_strndup(const char *s, __hone_size_t max)
{
    __hone_size_t n = __hone_strnlen(s, max);
    char *copy = __hone_malloc(n + 1);
    if (copy) {
        __hone_memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

__hone_size_t __hone_strnlen(const char *s, __hone_size_t max)
{
    __hone_size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

char *__hone_strpbrk(const char *s, const char *accept)
{
    for (; *s; s++) {
        for (__hone_size_t i = 0; accept[i]; i++) {
            if (accept[i] == *s)
                return (char *)s;
        }
    }
    return (char *)0;
}

char *__hone_strrchr(const char *s, int c)
{
    char *last = (char *)0;
    __hone_size_t i = 0;
    while (s[i]) {
        if (s[i] == (char)c)
            last = (char *)s + i;
        i++;
    }
    return (char)c ? last : (char *)s + i;
}

char *__hone_strsep(char **string, const char *delimiters)
{
    char *begin = *string;
    if (!begin)
        return (char *)0;
    char *end = begin + __hone_strcspn(begin, delimiters);
    if (*end) {
        *end = 0;
        *string = end + 1;
    } else {
        *string = (char *)0;
    }
    return begin;
}

__hone_size_t __hone_strspn(const char *s, const char *accept)
{
    __hone_size_t n = 0;
    while (s[n]) {
        __hone_size_t i = 0;
        while (accept[i] && accept[i] != s[n])
            i++;
        if (!accept[i])
            break;
        n++;
    }
    return n;
}

char *__hone_strstr(const char *s, const char *find)
{
    for (;; s++) {
        __hone_size_t i = 0;
        while (find[i] && s[i] == find[i])
            i++;
        if (!find[i])
            return (char *)s;
        if (!*s)
            return (char *)0;
    }
}

char *__hone_strtok_r(char *s, const char *delimiters, char **rest)
{
    if (!s)
        s = *rest;
    s += __hone_strspn(s, delimiters);
    char *end = s + __hone_strcspn(s, delimiters);
    *rest = *end ? end + 1 : end;
    if (*end)
        *end = 0;
    return end == s ? (char *)0 : s;
}

static char *__hone_strtok_rest;

char *__hone_strtok(char *s, const char *delimiters)
{
    return __hone_strtok_r(s, delimiters, &__hone_strtok_rest);
}

char *__hone_strchrnul(const char *s, int c)
{
    __hone_size_t i = 0;
    while (s[i] && s[i] != (char)c)
        i++;
    return (char *)s + i;
}

char *__hone_strcasestr(const char *s, const char *find)
{
    for (;; s++) {
        __hone_size_t i = 0;
        while (find[i] && __hone_tolower((unsigned char)s[i]) == __hone_tolower((unsigned char)find[i]))
            i++;
        if (!find[i])
            return (char *)s;
        if (!*s)
            return (char *)0;
    }
}

int __hone_strcoll(const char *a, const char *b)
{
    return __hone_strcmp(a, b);
}

__hone_size_t __hone_strxfrm(char *dst, const char *src, __hone_size_t n)
{
    __hone_size_t length = __hone_strlen(src);
    for (__hone_size_t i = 0; i < n && i <= length; i++)
        dst[i] = src[i];
    return length;
}

__hone_size_t __hone_strlcpy(char *dst, const char *src, __hone_size_t size)
{
    __hone_size_t n = 0;
    for (; src[n]; n++) {
        if (n + 1 < size)
            dst[n] = src[n];
    }
    if (size > 0)
        dst[n < size ? n : size - 1] = 0;
    return n;
}

__hone_size_t __hone_strlcat(char *dst, const char *src, __hone_size_t size)
{
    __hone_size_t n = 0, i = 0;
    while (n < size && dst[n])
        n++;
    for (; src[i]; i++) {
        if (n + i + 1 < size)
            dst[n + i] = src[i];
    }
    if (n < size)
        dst[n + i < size ? n + i : size - 1] = 0;
    return n + i;
}

int __hone_strverscmp(const char *a, const char *b)
{
    __hone_size_t i = 0, begin = 0, j;
    for (; a[i] && a[i] == b[i]; i++) {
        if (a[i] < '0' || a[i] > '9')
            begin = i + 1;
    }
    int is_digit = a[i] >= '0' && a[i] <= '9', other_is_digit = b[i] >= '0' && b[i] <= '9';
    if (a[begin] >= '1' && a[begin] <= '9' && b[begin] >= '1' && b[begin] <= '9') {
        for (j = i; a[j] >= '0' && a[j] <= '9'; j++) {
            if (b[j] < '0' || b[j] > '9')
                return 1;
        }
        if (b[j] >= '0' && b[j] <= '9')
            return -1;
    } else if (begin < i && (is_digit || other_is_digit)) {
        int zeros = 1;
        for (j = begin; j < i; j++)
            zeros = zeros && a[j] == '0';
        if (zeros && is_digit != other_is_digit)
            return is_digit ? -1 : 1;
        return (unsigned char)a[i] - '0' - ((unsigned char)b[i] - '0');
    }
    return (unsigned char)a[i] - (unsigned char)b[i];
}

static char __hone__message[64];
char *__hone_strerror(int error)
{
    (void)error;
    __hone_size_t n = 1 + __hone__any_size() % (sizeof __hone__message - 1);
    for (__hone_size_t i = 0; i < n; i++)
        __hone__message[i] = (char)(' ' + (unsigned)__hone__any_int() % 95);
    __hone__message[n] = 0;
    return __hone__message;
}
