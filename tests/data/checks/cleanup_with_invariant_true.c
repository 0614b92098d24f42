// expect: true
// checks: cleanup
// The pointer leads to the only block that is live.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = 0;
    while (__VERIFIER_nondet_int()) {
        if (p) {
            free(p);
            p = 0;
        } else {
            p = malloc(1);
        }
    }
    free(p);
    return 0;
}
