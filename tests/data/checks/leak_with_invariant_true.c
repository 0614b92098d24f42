// expect: true
// checks: leak
// witness: that no block is left at the head of the loop is nothing that variables of the program tell
// As many blocks are freed as were made, in each iteration.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int *p = malloc(sizeof *p);
        free(p);
    }
    return 0;
}
