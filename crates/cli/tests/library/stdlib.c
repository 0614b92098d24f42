// Sorting, searching, division, random numbers, allocation, the end of programs.
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

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
    for (unsigned seed = 0; seed < 2000000000; seed += 100000007) {
        unsigned state = seed;
        int a = rand_r(&state), b = rand_r(&state);
        printf("%d %d %u\n", a, b, state);
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
    *__errno_location() = 17;
    printf("%d\n", errno);
    printf("%d\n", strtol("12", NULL, 10) == 12);
    return 0;
}
