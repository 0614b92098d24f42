// expect: true
// What is asked of addresses here is the same wherever objects lie.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int numbers[4], others[4];

struct cursor {
    char *at, *end;
};

// The buffer of each call is a new one, but nothing keeps the address of the last.
static int count(char c)
{
    char buffer[2] = {c, 'b'};
    struct cursor cursor = {buffer, buffer + 2};
    int n = *cursor.at++ == c;
    if (cursor.at != cursor.end)
        n += *cursor.at++ == c;
    assert(cursor.at - buffer == 2);
    return n;
}

static int is_error(const void *p)
{
    return (uintptr_t)p >= (uintptr_t)-4095;
}

static void allocate(void)
{
    char *block = malloc(4);
    if (!block)
        return;
    char *end = block + 3;
    assert(end - block == 3 && end != block);
    free(block);
}

int main(void)
{
    assert(count('a') == 1);
    assert(count('b') == 2);
    int *p = __VERIFIER_nondet_int() ? numbers + 1 : 0;
    assert(p != others && !is_error(p) && (p == 0 || (uintptr_t)p > 4095));
    allocate();
    allocate();
}
