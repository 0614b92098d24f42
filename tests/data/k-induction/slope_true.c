// expect: true
// checks: assertions,memory
// At most four characters are written for each one that is read.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), written = 0;
    if (n > 10000)
        return 0;
    char *out = malloc(4 * n + 1);
    if (!out)
        return 1;
    for (unsigned i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int()) {
            out[written++] = 'a';
        } else {
            out[written] = '\\';
            out[written + 1] = 'x';
            out[written + 2] = '6';
            out[written + 3] = '1';
            written += 4;
        }
    }
    out[written] = 0;
    free(out);
    return 0;
}
