// expect: false
// Of two blocks, the one becomes arbitrary to which the pointer leads.
#include <stdlib.h>

int main(void)
{
    size_t size;
    _Bool second;
    __CPROVER_assume(size > 4 && size < 1000);
    unsigned char *a = calloc(size, 1);
    unsigned char *b = calloc(size, 1);
    if (a != NULL && b != NULL) {
        __CPROVER_havoc_object(second ? a : b + 4);
        __CPROVER_assert(!second || b[1] == 0, "the other is kept");
        __CPROVER_assert(second || b[1] != 7 || a[0] != 0, "in front of the pointer");
    }
    free(a);
    free(b);
    return 0;
}
