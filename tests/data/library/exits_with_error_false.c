// expect: false
// checks: leak
// The block is lost, whether `error` ends the run or not.
#include <error.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *block = malloc(3);
    block = 0;
    error(__VERIFIER_nondet_int(), 0, "stops here");
    return 0;
}
