// expect: true
// bam-value: true
// Objects that a function makes are others than those that its caller has from the same place.
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int *make(int content) {
    int *p = malloc(sizeof(int));
    if (content > 100)
        content = 100;
    *p = content;
    return p;
}

static void fill(int **a, int **b) {
    if (*a == 0)
        *a = make(5);
    if (*b == 0)
        *b = make(6);
}

int main(void) {
    int *first = make(1);
    int *second = make(2);
    assert(first != second);
    assert(*first == 1 && *second == 2);
    int *third = 0, *fourth = 0;
    fill(&third, &fourth);
    assert(*third == 5 && *fourth == 6 && *first == 1 && *second == 2);
    free(second);
    second = make(9);
    assert(*second == 9 && *first == 1 && *third == 5);
    return 0;
}
