// expect: true
#include <stdlib.h>

extern void reach_error(void);

/* Without a definition in another file, the addresses are null. */
__attribute__((weak)) void *custom_malloc(size_t size);
extern int limit __attribute__((weak));

/* That of a function of the library is not. */
__attribute__((weak)) size_t strlen(const char *text);

static void *allocate(size_t size)
{
    if (&limit && limit < (int)size)
        return NULL;
    return custom_malloc ? custom_malloc(size) : malloc(size);
}

int main(void)
{
    int *p = allocate(sizeof *p);
    if (!p || custom_malloc || !strlen || strlen("four") != 4)
        reach_error();
    free(p);
    return 0;
}
