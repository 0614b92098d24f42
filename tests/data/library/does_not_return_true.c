// expect: true
// checks: assertions,memory
// A function that is declared not to return ends the run.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void stop(const char *why) __attribute__((noreturn));

int main(void)
{
    int numbers[3] = {1, 2, 3};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        stop("out of range");
    assert(numbers[i] == i + 1);
    return 0;
}
