int __hone_atoi(const char *s)
{
    int value = 0;
    int negative = 0;
    int begun = 0;
    for (__hone_size_t i = 0;; i++) {
        char c = s[i];
        if (c >= '0' && c <= '9') {
            value = 10 * value - (c - '0');
        } else if (begun) {
            break;
        } else if (c == '-' || c == '+') {
            negative = c == '-';
        } else if (c == ' ' || c >= '\t' && c <= '\r') {
            continue;
        } else {
            break;
        }
        begun = 1;
    }
    return negative ? value : -value;
}

long __hone_atol(const char *s)
{
    long value = 0;
    int negative = 0;
    int begun = 0;
    for (__hone_size_t i = 0;; i++) {
        char c = s[i];
        if (c >= '0' && c <= '9') {
            value = 10 * value - (c - '0');
        } else if (begun) {
            break;
        } else if (c == '-' || c == '+') {
            negative = c == '-';
        } else if (c == ' ' || c >= '\t' && c <= '\r') {
            continue;
        } else {
            break;
        }
        begun = 1;
    }
    return negative ? value : -value;
}

void *__hone_bsearch(const void *key, const void *base, __hone_size_t n, __hone_size_t size,
                     int (*compare)(const void *, const void *))
{
    __hone_size_t low = 0, high = n;
    while (low < high) {
        __hone_size_t mid = low + (high - low) / 2;
        const unsigned char *item = (const unsigned char *)base + mid * size;
        int order = compare(key, item);
        if (order == 0)
            return (void *)item;
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return (void *)0;
}

// The sort splits n items in halves, and those again. Where the range that is split at an item ends with the last one, this is its beginning, else the item.
__hone_size_t __hone__first_half(__hone_size_t n, __hone_size_t split, __hone_size_t last)
{
    __hone_size_t low = 0, high = n, mid = n / 2;
    while (split > 0 && mid != split) {
        if (split < mid)
            high = mid;
        else
            low = mid;
        mid = low + (high - low) / 2;
    }
    return high == last + 1 ? low : split;
}

long long __hone_atoll(const char *s)
{
    long long value = 0;
    int negative = 0;
    int begun = 0;
    for (__hone_size_t i = 0;; i++) {
        char c = s[i];
        if (c >= '0' && c <= '9') {
            value = 10 * value - (c - '0');
        } else if (begun) {
            break;
        } else if (c == '-' || c == '+') {
            negative = c == '-';
        } else if (c == ' ' || c >= '\t' && c <= '\r') {
            continue;
        } else {
            break;
        }
        begun = 1;
    }
    return negative ? value : -value;
}

void *__hone_lfind(const void *key, const void *base, __hone_size_t *n, __hone_size_t size,
                   int (*compare)(const void *, const void *))
{
    const unsigned char *item = base;
    for (__hone_size_t i = 0; i < *n; i++) {
        if (compare(key, item) == 0)
            return (void *)item;
        item += size;
    }
    return (void *)0;
}

void *__hone_lsearch(const void *key, void *base, __hone_size_t *n, __hone_size_t size,
                     int (*compare)(const void *, const void *))
{
    void *found = __hone_lfind(key, base, n, size, compare);
    if (found)
        return found;
    unsigned char *item = (unsigned char *)base + *n * size;
    __hone_memcpy(item, key, size);
    *n += 1;
    return item;
}

typedef struct { int quot, rem; } __hone_div_t;
__hone_div_t __hone_div(int a, int b)
{
    __hone_div_t result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

typedef struct { long quot, rem; } __hone_ldiv_t;
__hone_ldiv_t __hone_ldiv(long a, long b)
{
    __hone_ldiv_t result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}

typedef struct { long long quot, rem; } __hone_lldiv_t;
__hone_lldiv_t __hone_lldiv(long long a, long long b)
{
    __hone_lldiv_t result;
    result.quot = a / b;
    result.rem = a % b;
    return result;
}
__hone_lldiv_t __hone_imaxdiv(long long a, long long b)
{
    return __hone_lldiv(a, b);
}

int __hone_posix_memalign(void **out, __hone_size_t align, __hone_size_t size)
{
    if (align % sizeof(void *) || align == 0 || align & (align - 1))
        return 22;
    void *block = __hone_aligned_alloc(align, size);
    if (!block && size)
        return 12;
    *out = block;
    return 0;
}

void *__hone_reallocarray(void *block, __hone_size_t n, __hone_size_t size)
{
    if (size && n > (__hone_size_t)-1 / size) {
        __hone__errno = 12;
        return (void *)0;
    }
    return __hone_realloc(block, n * size);
}

struct __hone__element {
    struct __hone__element *next, *previous;
};

void __hone_insque(void *element, void *before)
{
    struct __hone__element *new = element, *at = before;
    new->previous = at;
    new->next = at ? at->next : (struct __hone__element *)0;
    if (new->next)
        new->next->previous = new;
    if (at)
        at->next = new;
}

void __hone_remque(void *element)
{
    struct __hone__element *old = element;
    if (old->next)
        old->next->previous = old->previous;
    if (old->previous)
        old->previous->next = old->next;
}

static const char __hone__digits64[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

long __hone_a64l(const char *s)
{
    unsigned value = 0;
    for (int i = 0; i < 6 && s[i]; i++) {
        int digit = 0;
        while (__hone__digits64[digit] && __hone__digits64[digit] != s[i])
            digit++;
        if (digit == 64)
            break;
        value |= (unsigned)digit << 6 * i;
    }
    return (long)value;
}

static char __hone__text64[7];

char *__hone_l64a(long value)
{
    unsigned rest = (unsigned)value;
    int n = 0;
    for (; rest; rest >>= 6)
        __hone__text64[n++] = __hone__digits64[rest & 63];
    __hone__text64[n] = 0;
    return __hone__text64;
}

int __hone_getsubopt(char **option, char *const *tokens, char **value)
{
    char *begin = *option;
    if (!*begin)
        return -1;
    char *end = __hone_strchrnul(begin, ','), *equals = begin;
    while (equals < end && *equals != '=')
        equals++;
    __hone_size_t length = (__hone_size_t)(equals - begin);
    int found = 0;
    while (tokens[found] && (__hone_strncmp(begin, tokens[found], length) || tokens[found][length]))
        found++;
    int is_known = tokens[found] != 0;
    *value = !is_known ? begin : equals < end ? equals + 1 : (char *)0;
    if (*end)
        *end++ = 0;
    *option = end;
    return is_known ? found : -1;
}

unsigned __hone_gnu_dev_major(unsigned long long device)
{
    return (unsigned)(device >> 8 & 0xfff | device >> 32 & 0xfffff000);
}

unsigned __hone_gnu_dev_minor(unsigned long long device)
{
    return (unsigned)(device & 0xff | device >> 12 & 0xffffff00);
}

unsigned long long __hone_gnu_dev_makedev(unsigned major, unsigned minor)
{
    unsigned long long high = major, low = minor;
    return (high & 0xfff) << 8 | (high & 0xfffff000) << 32 | low & 0xff | (low & 0xffffff00) << 12;
}

double __hone_difftime(long long end, long long begin)
{
    unsigned long long from = (unsigned long long)begin, to = (unsigned long long)end;
    unsigned long long difference = end < begin ? from - to : to - from;
    return end < begin ? -(double)difference : (double)difference;
}

int __hone_dysize(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
}

char *__hone_get_current_dir_name(void)
{
    __hone_size_t n = __hone__any_size();
    __hone__require(n >= 1 && n <= 4096);
    char *text = (char *)0;
    if (__hone__any_int())
        __hone__errno = __hone__any_error();
    else
        text = __hone_malloc(n);
    if (text)
        text[n - 1] = 0;
    return text;
}

char *__hone_tempnam(const char *folder, const char *prefix)
{
    return __hone_get_current_dir_name();
}
