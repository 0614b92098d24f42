// expect: true
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

/* An array that grows by realloc, from nothing. */
int main(void)
{
    int *data = NULL;
    unsigned length = 0, capacity = 0, n = __VERIFIER_nondet_uint() % 6;
    for (unsigned i = 0; i < n; i++) {
        if (length == capacity) {
            capacity = capacity ? 2 * capacity : 1;
            data = realloc(data, capacity * sizeof *data);
        }
        data[length++] = (int)(i * i);
    }
    for (unsigned i = 0; i < length; i++)
        assert(data[i] == (int)(i * i));
    free(data);
    return 0;
}
