// Wide strings.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static const wchar_t *const words[] = {L"", L"a", L"b", L"aa", L"ab", L"ba", L"abc", L"abcabc", L"bca", L"ca", L" x y ", L"\x20ac", L"\x7fffffff", L"c", L"AB", L"aB"};
enum { N = sizeof words / sizeof *words };

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void place(const char *name, const wchar_t *base, const wchar_t *at)
{
    printf(" %s %d", name, at ? (int)(at - base) : -1);
}

static void show(const wchar_t *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf(" %x", (unsigned)at[i]);
}

static void pair(const wchar_t *a, const wchar_t *b)
{
    size_t la = wcslen(a), lb = wcslen(b), least = la < lb ? la : lb;
    wchar_t to[32];
    printf("%d %d %d %d", sign(wcscmp(a, b)), sign(wcscoll(a, b)), sign(wcsncmp(a, b, 2)), sign(wmemcmp(a, b, least)));
    printf(" %d %d", sign(wcscasecmp(a, b)), sign(wcsncasecmp(a, b, 2)));
    place("wcsstr", a, wcsstr(a, b));
    place("wcswcs", a, wcswcs(a, b));
    place("wcspbrk", a, wcspbrk(a, b));
    printf(" %zu %zu", wcsspn(a, b), wcscspn(a, b));
    wmemset(to, L'#', 32);
    wcscpy(to, a);
    place("wcscat", to, wcscat(to, b));
    show(to, 14);
    wcscpy(to, a);
    place("wcsncat", to, wcsncat(to, b, 2));
    show(to, 14);
    wcscpy(to, a);
    wchar_t *rest;
    for (wchar_t *word = wcstok(to, b, &rest); word; word = wcstok(NULL, b, &rest))
        place("wcstok", to, word);
    printf("\n");
}

static void one(const wchar_t *s)
{
    size_t n = wcslen(s);
    wchar_t to[32];
    printf("%zu %zu", n, wcsnlen(s, 2));
    wchar_t *copy = wcsdup(s);
    show(copy, n + 1);
    free(copy);
    for (wchar_t c = L'a'; c < L'd'; c++) {
        place("wcschr", s, wcschr(s, c));
        place("wcsrchr", s, wcsrchr(s, c));
        place("wcschrnul", s, wcschrnul(s, c));
        place("wmemchr", s, wmemchr(s, c, n));
    }
    place("wcschr", s, wcschr(s, 0));
    for (size_t size = 0; size < 4; size++) {
        wmemset(to, L'#', 32);
        place("wcsncpy", to, wcsncpy(to, s, size));
        show(to, 5);
        wmemset(to, L'#', 32);
        place("wcpncpy", to, wcpncpy(to, s, size));
        show(to, 5);
    }
    place("wcpcpy", to, wcpcpy(to, s));
    place("wmempcpy", to, wmempcpy(to, s, n));
    place("wmemcpy", to, wmemcpy(to, s, n));
    wmemmove(to + 1, to, n);
    show(to, 8);
    wmemmove(to, to + 1, n);
    show(to, 8);
    printf("\n");
}

static void number(const wchar_t *s, int base)
{
    wchar_t *end = (wchar_t *)s;
    errno = 0;
    long value = wcstol(s, &end, base);
    printf(" %ld %d %d", value, errno, (int)(end - s));
    errno = 0;
    unsigned long without_sign = wcstoul(s, &end, base);
    printf(" %lu %d", without_sign, errno);
    errno = 0;
    long long longer = wcstoll(s, NULL, base);
    printf(" %lld %d", longer, errno);
    errno = 0;
    unsigned long long longest = wcstoull(s, NULL, base);
    printf(" %llu %d", longest, errno);
    printf(" %jd %ju", wcstoimax(s, NULL, base), wcstoumax(s, NULL, base));
    printf(" %lld %llu\n", (long long)wcstoq(s, NULL, base), (unsigned long long)wcstouq(s, NULL, base));
}

static void kinds(void)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "", "alph"};
    for (int i = 0; i < 14; i++) {
        wctype_t kind = wctype(names[i]);
        printf("%d:", kind != 0);
        for (wint_t c = 0; c < 140; c++)
            printf("%d", iswctype(c, kind) != 0);
        printf(" %d\n", iswctype(WEOF, kind) != 0);
    }
    wctrans_t lower = wctrans("tolower"), upper = wctrans("toupper");
    printf("%d %d %d\n", lower != NULL, upper != NULL, wctrans("other") != NULL);
    for (wint_t c = 0; c < 140; c++)
        printf(" %d %d", (int)towctrans(c, lower), (int)towctrans(c, upper));
    for (wchar_t c = -2; c < 140; c++)
        printf(" %d", wcwidth(c));
    printf("\n");
}

int main(void)
{
    static const wchar_t *const numbers[] = {
        L"", L"0", L"12", L" \t-17x", L"+5", L"0x1F", L"0x", L"-0x10", L"017", L"08", L"zZ", L"9223372036854775807", L"9223372036854775808", L"-9223372036854775808",
        L"-9223372036854775809", L"18446744073709551615", L"18446744073709551616", L"-1", L"- 1", L"1\x20ac", L"\x20ac"
    };
    for (int i = 0; i < N; i++) {
        one(words[i]);
        for (int j = 0; j < N; j++)
            pair(words[i], words[j]);
        wchar_t to[8];
        for (size_t n = 0; n < 8; n++) {
            wmemset(to, L'#', 8);
            printf("%zu %d", wcsxfrm(to, words[i], n), wcswidth(words[i], n));
            show(to, n <= wcslen(words[i]) ? 0 : 8);
            printf("\n");
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (int base = -1; base < 37; base += base < 2 || base == 16 ? 1 : base < 16 ? 2 : 19)
            number(numbers[i], base);
    }
    kinds();
    return 0;
}
