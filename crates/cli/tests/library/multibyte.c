// Characters of several bytes, in the C locale: those of ASCII.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static const char *const texts[] = {"", "a", "ab", "abcdef", "a b\n"};
static const wchar_t *const wide[] = {L"", L"a", L"ab", L"abcdef", L"a\x7f"};
enum { N = sizeof texts / sizeof *texts, M = sizeof wide / sizeof *wide };

static void narrow(const char *s, size_t n)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    wchar_t c = 77, to[8];
    errno = 0;
    // Without a byte, the results are not determined.
    if (n > 0) {
        int result = mbtowc(&c, s, n);
        printf("%d %d %d", result, (int)c, errno);
        result = mblen(s, n);
        printf(" %d", result);
    }
    c = 78;
    errno = 0;
    size_t length = mbrtowc(&c, s, n, &state);
    printf(" %zd %d %d %d", (ssize_t)length, (int)c, errno, mbsinit(&state) != 0);
    memset(&state, 0, sizeof state);
    length = mbrlen(s, n, &state);
    printf(" %zd", (ssize_t)length);
    wmemset(to, 9, 8);
    errno = 0;
    length = mbstowcs(to, s, n);
    printf(" %zd %d:", (ssize_t)length, errno);
    for (int i = 0; i < 8; i++)
        printf(" %d", (int)to[i]);
    const char *from = s;
    memset(&state, 0, sizeof state);
    wmemset(to, 9, 8);
    length = mbsrtowcs(to, &from, n, &state);
    printf(" %zd %d", (ssize_t)length, from ? (int)(from - s) : -1);
    from = s;
    memset(&state, 0, sizeof state);
    length = mbsrtowcs(NULL, &from, n, &state);
    printf(" %zd %d\n", (ssize_t)length, (int)(from - s));
}

static void broad(const wchar_t *s, size_t n)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    char to[9] = "########";
    errno = 0;
    int result = wctomb(to, *s);
    printf("%d %d", result, errno);
    size_t length = wcrtomb(to + 1, *s, &state);
    printf(" %zd %s", (ssize_t)length, to);
    memset(to, '#', 8);
    errno = 0;
    length = wcstombs(to, s, n);
    printf(" %zd %d", (ssize_t)length, errno);
    for (int i = 0; i < 8; i++)
        printf(" %d", to[i]);
    const wchar_t *from = s;
    memset(&state, 0, sizeof state);
    length = wcsrtombs(to, &from, n, &state);
    printf(" %zd %d", (ssize_t)length, from ? (int)(from - s) : -1);
    from = s;
    memset(&state, 0, sizeof state);
    length = wcsrtombs(NULL, &from, n, &state);
    printf(" %zd %d\n", (ssize_t)length, (int)(from - s));
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        for (size_t n = 0; n < 8; n++)
            narrow(texts[i], n);
    }
    for (int i = 0; i < M; i++) {
        for (size_t n = 0; n < 8; n++)
            broad(wide[i], n);
    }
    printf("%d %d %zd %d\n", mblen(NULL, 1), mbtowc(NULL, NULL, 1), (ssize_t)mbrtowc(NULL, NULL, 0, NULL), wctomb(NULL, L'a'));
    printf("%zd %d\n", (ssize_t)wcrtomb(NULL, 300, NULL), mbsinit(NULL) != 0);
    for (int c = -1; c < 128; c++)
        printf(" %d %d", (int)btowc(c), wctob((wint_t)c));
    printf("\n");
    return 0;
}
