// expect: true
// All of a block of any size becomes arbitrary, and nothing else does.
#include <stdlib.h>

struct context {
    unsigned char *buffer;
    size_t size;
};

static void receive(unsigned char *buffer)
{
    __CPROVER_havoc_object(buffer);
}

int main(void)
{
    struct context context;
    size_t size;
    __CPROVER_assume(size > 0 && size < 1000);
    context.size = size;
    context.buffer = malloc(size);
    if (context.buffer == NULL) {
        return 0;
    }
    receive(context.buffer + size - 1);
    unsigned char first = context.buffer[0];
    __CPROVER_assert(context.size == size, "the size is kept");
    __CPROVER_assert(context.buffer[0] == first, "until it is written again");
    free(context.buffer);
    return 0;
}
