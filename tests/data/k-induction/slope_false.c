// expect: false
// checks: memory
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), written = 0;
    if (n > 10000)
        return 0;
    char *out = malloc(2 * n + 1);
    if (!out)
        return 1;
    for (unsigned i = 0; i < n; i++) {
        out[written] = 'a';
        written += __VERIFIER_nondet_int() ? 1 : 3;
    }
    free(out);
    return 0;
}
