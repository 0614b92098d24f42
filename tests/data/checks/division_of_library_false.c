// expect: false
// checks: division
// harness: gcc's sanitizer does not look into the library
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    div_t result = div(7, __VERIFIER_nondet_int());
    return result.quot == 8;
}
