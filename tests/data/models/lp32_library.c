// expect: true
// data-model: LP32
// What functions of the library take for an `int` has 16 bits.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <ctype.h>
#include <math.h>

int main(void) {
    char text[40];
    snprintf(text, sizeof text, "%d %u %ld", -1, 65535u, 100000L);
    assert(strcmp(text, "-1 65535 100000") == 0);
    snprintf(text, sizeof text, "%x %*d", 0xffff, 4, 7);
    assert(strcmp(text, "ffff    7") == 0);
    struct { int i; int guard; } small = {0, 7};
    sscanf("-12 9", "%d", &small.i);
    assert(small.i == -12 && small.guard == 7);
    assert(strtol("99999", 0, 10) == 99999 && errno == 0);
    assert(atoi("-321") == -321 && abs(-5) == 5 && labs(-100000L) == 100000);
    assert(memcmp("ab", "ac", 2) < 0 && toupper('x') == 'X');
    assert(copysign(2.0, -1.0) == -2.0 && copysignf(2.0f, -1.0f) == -2.0f);
    return 0;
}
