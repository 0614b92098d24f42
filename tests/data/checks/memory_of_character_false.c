// expect: false
// checks: memory
// harness: the sanitizers do not look into the library
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c > 256)
        return 0;
    return isalpha(c) ? 1 : 2;
}
