// expect: true
// with: ../../parts/symbols.c
// Files know functions and variables by their names for the assembler, which need not be those in C.
#include <assert.h>

extern int cell __asm__("stored");
extern int stored;
int twice(int x) __asm__("double_of");
static int doubled(int x) __attribute__((weakref("double_of")));
static int nowhere(int x) __attribute__((weakref("is_defined_by_no_file")));
int plain(void);

// The other file has a function of this name in C.
int version(void) __asm__("version_1");
int version(void)
{
    return 1;
}

int version_here(void);

// A weak variable gives way.
static int first = 1;
extern int replaced __attribute__((weak, alias("first")));

int main(void)
{
    cell = 5;
    assert(stored == 5 && twice(4) == 8 && doubled(5) == 10 && plain() == 9);
    assert(version() == 1 && version_here() == 2);
    assert(!nowhere && doubled);
    assert(replaced == 4 && first == 1);
    return 0;
}
