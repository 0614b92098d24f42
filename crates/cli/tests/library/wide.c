// Wide strings.
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

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

int main(void)
{
    for (int i = 0; i < N; i++) {
        one(words[i]);
        for (int j = 0; j < N; j++)
            pair(words[i], words[j]);
    }
    return 0;
}
