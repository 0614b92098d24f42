// Sorting, searching, division, random numbers, allocation, the end of programs.
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compare_with(const void *a, const void *b, void *order)
{
    return *(int *)order * compare(a, b);
}

static void first(void)
{
    printf("first\n");
}

static void second(void)
{
    printf("second\n");
}

static void options(const char *text)
{
    static char *const tokens[] = {"ro", "rw", "name", "r", "", NULL};
    char copy[40], *rest = copy, *value;
    strcpy(copy, text);
    for (int i = 0; i < 8; i++) {
        value = copy;
        int found = getsubopt(&rest, tokens, &value);
        printf(" %d %s %d", found, value ? value : "-", (int)(rest - copy));
    }
    printf("\n");
}

static void digits64(void)
{
    static const char *const texts[] = {"", ".", "/", "0", "z", "..1", "zzzzz", "zzzzz1", "zzzzzz", "abcdefg", "a b", "./09AZaz", "1-2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        printf(" %ld", a64l(texts[i]));
    for (long i = -1; i < 5000000000; i = 3 * i + 5)
        printf(" %s", l64a(i));
    printf("\n");
}

int main(void)
{
    int numbers[] = {5, -3, 9, 0, 7, 5, 1, -8, 100, 2};
    size_t n = 10;
    atexit(first);
    atexit(second);
    qsort(numbers, n, sizeof *numbers, compare);
    for (size_t i = 0; i < n; i++)
        printf(" %d", numbers[i]);
    for (int key = -9; key < 10; key++) {
        int *found = bsearch(&key, numbers, n, sizeof *numbers, compare);
        int *other = lfind(&key, numbers, &n, sizeof *numbers, compare);
        printf(" %d %d", found ? *found : -99, other ? (int)(other - numbers) : -1);
    }
    int order = -1;
    qsort_r(numbers, n, sizeof *numbers, compare_with, &order);
    for (size_t i = 0; i < n; i++)
        printf(" %d", numbers[i]);
    int more[4] = {1, 2};
    size_t filled = 2;
    for (int key = 1; key < 4; key++) {
        int *at = lsearch(&key, more, &filled, sizeof *more, compare);
        printf(" %d %zu", (int)(at - more), filled);
    }
    printf("\n");
    struct item { struct item *next, *previous; int value; } a = {NULL, NULL, 1}, b = {NULL, NULL, 2}, c = {NULL, NULL, 3};
    insque(&a, NULL);
    insque(&b, &a);
    insque(&c, &a);
    remque(&b);
    printf("%d %d %d\n", a.next->value, c.next == NULL, c.previous->value);
    static const int operands[] = {0, 1, -1, 7, -7, 100, 2147483647, -2147483647};
    for (int i = 0; i < 8; i++) {
        int a = operands[i];
        printf("%d %ld %lld %jd", abs(a), labs(a), llabs(a), imaxabs(a));
        for (int j = 1; j < 8; j++) {
            int b = operands[j];
            div_t d = div(a, b);
            ldiv_t l = ldiv(a, b);
            lldiv_t ll = lldiv(a, b);
            imaxdiv_t im = imaxdiv(a, b);
            printf(" %d %d %ld %ld %lld %lld %jd %jd", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, im.quot, im.rem);
        }
        printf("\n");
    }
    void *block;
    printf("%d %d %d\n", posix_memalign(&block, 3, 8), posix_memalign(&block, 4, 8), posix_memalign(&block, 0, 8));
    printf("%d\n", posix_memalign(&block, 64, 8));
    free(block);
    errno = 0;
    size_t much = (size_t)-1;
    block = reallocarray(NULL, much, 2);
    printf("%d %d\n", block == NULL, errno);
    block = reallocarray(NULL, 3, 4);
    printf("%d\n", block == NULL);
    free(block);
    options("");
    options("ro,rw");
    options("name=x,ro,r");
    options("name=,=,,rwx,nam");
    options("r=a=b,unknown=1,rw,");
    digits64();
    static const time_t times[] = {0, 1, -1, 1700000000, -2208988800, 9007199254740993, -9007199254740993, 9223372036854775807, -9223372036854775807};
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++)
            printf(" %a", difftime(times[i], times[j]));
    }
    for (int year = -400; year < 2100; year += 50)
        printf(" %d", dysize(year) + dysize(year + 4));
    printf("\n");
    *__errno_location() = 17;
    printf("%d\n", errno);
    printf("%d\n", strtol("12", NULL, 10) == 12);
    return 0;
}
