// expect: true
// checks: assertions
// What GCC tells of objects without optimisation.
#include <assert.h>

static struct {
    int number;
    char text[6];
    int last;
} record;

int main(void)
{
    char bytes[10];
    int rows[3][4];
    char *pointer = bytes;
    assert(__builtin_object_size(bytes, 0) == 10 && __builtin_object_size(bytes + 3, 2) == 7);
    assert(__builtin_object_size(bytes + 12, 0) == 0);
    assert(__builtin_object_size(record.text, 0) == 12 && __builtin_object_size(record.text, 1) == 6);
    assert(__builtin_object_size(rows[1], 0) == 32 && __builtin_object_size(&rows[1][2], 1) == 8);
    assert(__builtin_object_size("abc", 0) == 4);
    assert(__builtin_object_size(pointer, 0) == (__SIZE_TYPE__)-1 && __builtin_object_size(pointer, 2) == 0);
    return 0;
}
