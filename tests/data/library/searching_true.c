// expect: true
#define _GNU_SOURCE
#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by(const void *a, const void *b, void *factor)
{
    return (*(const int *)a - *(const int *)b) * *(int *)factor;
}

static int same(const void *a, const void *b)
{
    return *(const int *)a != *(const int *)b;
}

int main(void)
{
    int numbers[4] = {3, 1, 2}, factor = -1, key = 9;
    size_t n = 3;
    qsort_r(numbers, n, sizeof *numbers, by, &factor);
    assert(numbers[0] == 3 && numbers[1] == 2 && numbers[2] == 1);
    assert(lsearch(&key, numbers, &n, sizeof *numbers, same) == numbers + 3 && n == 4);
    char text[8] = "a,b";
    assert(memccpy(text + 4, text, ',', 3) == text + 6 && text[5] == ',');
    assert(memrchr(text, ',', 8) == text + 5 && memmem(text, 8, ",b", 2) == text + 1);
    explicit_bzero(text, 2);
    assert(!text[0] && !text[1] && text[2] == 'b');
    return 0;
}
