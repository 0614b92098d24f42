// expect: true
// bam-value: true
// Each number is a block abstraction, which is used again.
#include <assert.h>

static int fib(int n) {
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

int main(void) {
    assert(fib(12) == 144);
    return 0;
}
