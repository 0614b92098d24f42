// expect: true
// checks: leak
// No run gets to the block that is lost.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 3 && x < 3) {
        char *lost = malloc(4);
        lost = 0;
    }
    return 0;
}
