// expect: true
#include <assert.h>
#include <limits.h>
#include <stdio.h>

int main(void)
{
    long wide = 0;
    int narrow = 0;
    unsigned long large = 0;
    assert(sscanf("9223372036854775808", "%ld", &wide) == 1 && wide == LONG_MAX);
    assert(sscanf("-9223372036854775809", "%ld", &wide) == 1 && wide == LONG_MIN);
    assert(sscanf("9999999999999999999", "%d", &narrow) == 1 && narrow == -1);
    assert(sscanf("18446744073709551615", "%lu", &large) == 1 && large == ULONG_MAX);
    assert(sscanf("-18446744073709551616", "%lu", &large) == 1 && large == ULONG_MAX);
    assert(sscanf("0xffffffffffffffff", "%li", &wide) == 1 && wide == LONG_MAX);
    assert(sscanf("-7 x", "%lu", &large) == 1 && large == ULONG_MAX - 6);
    return 0;
}
