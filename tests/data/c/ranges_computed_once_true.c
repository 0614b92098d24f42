// expect: true
// Values of ranges are computed once, in the order of the elements, as GCC has it.
#include <stdlib.h>

extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        __VERIFIER_error();
}

struct p {
    int x, y;
};

static int calls;
static int f(void) { return ++calls; }
static struct p pair(void) { return (struct p){f(), f()}; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    int a[2] = {[0 ... 1] = __VERIFIER_nondet_int()};
    check(a[0] == a[1]);
    char *blocks[3] = {[0 ... 2] = malloc(4)};
    check(blocks[0] == blocks[2]);
    free(blocks[1]);
    struct p pairs[2] = {[0 ... 1] = pair()};
    check(calls == 2 && pairs[1].x == pairs[0].x && pairs[1].y == pairs[0].y);
    calls = 0;
    int first[2] = {[0 ... 1] = f(), [0] = n};
    check(calls == 1 && first[0] == n && first[1] == 1);
    int order[3] = {[2] = f(), [1] = f(), [0] = f()};
    check(order[0] == 2 && order[1] == 3 && order[2] == 4);
    return 0;
}
