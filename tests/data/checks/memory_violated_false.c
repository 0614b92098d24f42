// expect: false
// checks: memory
// The last byte of the string has no room.
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 8;
    char *copy = malloc(n + 1);
    for (unsigned i = 0; i < n; i++)
        copy[i] = 'a';
    copy[n + (n == 5)] = 0;
    free(copy);
    return 0;
}
