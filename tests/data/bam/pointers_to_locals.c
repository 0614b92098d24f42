// expect: true
// bam-value: true
// Functions change variables of their callers through pointers, of several callers and of one caller twice.
#include <assert.h>
int __VERIFIER_nondet_int(void);

static void put(int *where, int what) {
    if (__VERIFIER_nondet_int())
        *where = what;
    else
        where[0] = what;
}

static int twice(int what) {
    int one = 0, two = 0;
    put(&one, what);
    assert(two == 0);
    put(&two, what + 1);
    assert(one == what && two == what + 1);
    return one + two;
}

int main(void) {
    int a = 1, b = 2, c[2] = {3, 4};
    put(&a, 10);
    assert(a == 10 && b == 2);
    put(&b, 10);
    put(&c[1], 5);
    assert(c[0] == 3 && c[1] == 5);
    assert(twice(4) == 9);
    assert(a == 10 && b == 10);
    return 0;
}
