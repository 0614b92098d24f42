// expect: true
// One function allocates records of two types. The counters of one lie where the other has pointers to blocks that were freed.
#include <assert.h>
#include <stdlib.h>

struct reader {
    struct reader *self;
    char *window;
    char *table;
};

struct writer {
    struct writer *self;
    unsigned long written;
    unsigned long size;
};

static void *make(unsigned count, unsigned size)
{
    return malloc(count * size);
}

int main(void)
{
    struct reader *reader = make(1, sizeof *reader);
    if (!reader)
        return 0;
    reader->window = make(4, 2);
    reader->table = make(2, 2);
    free(reader->window);
    free(reader->table);
    free(reader);
    struct writer *writer = make(1, sizeof *writer);
    if (!writer)
        return 0;
    writer->written = 3;
    writer->size = 65536;
    while (writer->written < writer->size)
        writer->written *= 3;
    assert(writer->written == 177147);
    free(writer);
    return 0;
}
