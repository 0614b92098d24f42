// expect: true
// data-model: ILP32
// environment: --endianness big
// Big-endian machines of 32 bits align each type to its size, also in records.
#include <assert.h>
#include <stddef.h>

struct s { char c; long long l; char d; double e; };
_Static_assert(sizeof(struct s) == 32 && offsetof(struct s, l) == 8 && offsetof(struct s, e) == 24, "records");

int main(void) {
    void *object = (void *)0x01020304;
    unsigned char *bytes = (unsigned char *)&object;
    unsigned long address = (unsigned long)object;
    assert(bytes[0] == address >> 24 && bytes[3] == (address & 0xff));
    struct s s = {1, 0x0102030405060708, 2, 0};
    assert(((unsigned char *)&s)[8] == 1 && ((unsigned char *)&s)[15] == 8);
    return 0;
}
