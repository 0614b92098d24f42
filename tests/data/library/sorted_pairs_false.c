// expect: false
// Which pairs a sort compares shows: of three items, the merge sort of glibc compares the last two first.
#include <assert.h>
#include <stdlib.h>
static int last_two;
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (x == 1 && y == 3)
        last_two = 1;
    return (x > y) - (x < y);
}

int main(void) {
    int a[3] = {2, 1, 3};
    qsort(a, 3, sizeof *a, compare);
    assert(!last_two);
    return 0;
}
