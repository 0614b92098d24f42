// expect: true
// with: ../../parts/definitions.c
// A weak definition gives way, and so does an inline one; what no file defines is declared with and without a prototype.
#include <assert.h>
#include <string.h>

int limit(void) __attribute__((weak));
int limit(void)
{
    return 1;
}

inline int half(int x)
{
    return x / 2;
}

int unprototyped();
int length(const char *text);

int main(void)
{
    assert(limit() == 7 && half(9) == 4 && unprototyped(5) == 6);
    assert(length("abc") == (int)strlen("abc"));
    return 0;
}
