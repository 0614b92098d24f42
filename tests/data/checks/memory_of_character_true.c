// expect: true
// checks: memory
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c >= -1 && c < 256 && isdigit(c))
        return 1;
    return isspace(__VERIFIER_nondet_char()) ? 2 : toupper(c);
}
