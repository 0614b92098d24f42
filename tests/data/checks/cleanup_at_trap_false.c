// expect: false
// checks: cleanup
// harness: a trap ends the program at once
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    if (__VERIFIER_nondet_int() == 3)
        __builtin_trap();
    free(p);
    return 0;
}
