// expect: true
// Pairs that the merge sort of glibc compares, in its order; items that are equal stay in theirs.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
struct item { int key, id; };
static int count;
static int pairs[16];

static int compare(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    pairs[count++] = 10 * x->id + y->id;
    return x->key - y->key;
}
static int compare_for(const void *a, const void *b, void *calls) {
    *(int *)calls += 1;
    return compare(a, b);
}

int main(void) {
    struct item few[3] = {{2, 0}, {3, 1}, {1, 2}};
    qsort(few, 3, sizeof *few, compare);
    assert(count == 3 && pairs[0] == 12 && pairs[1] == 2 && pairs[2] == 1);
    assert(few[0].id == 2 && few[1].id == 0 && few[2].id == 1);
    struct item more[5] = {{4, 0}, {2, 1}, {9, 2}, {2, 3}, {4, 4}};
    int calls = 0;
    count = 0;
    qsort_r(more, 5, sizeof *more, compare_for, &calls);
    assert(calls == count && count == 7);
    int expected[7] = {1, 34, 23, 24, 13, 3, 4};
    for (int i = 0; i < 7; i++)
        assert(pairs[i] == expected[i]);
    assert(more[0].id == 1 && more[1].id == 3 && more[2].id == 0 && more[3].id == 4 && more[4].id == 2);
    qsort(more, 0, sizeof *more, compare);
    qsort(more, 1, sizeof *more, compare);
    assert(count == calls);
    return 0;
}
