// expect: true
// data-model: LLP64
// What `printf` and `scanf` take by their length modifiers, and the limits of `strtol`.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>

int main(void) {
    char text[40];
    snprintf(text, sizeof text, "%ld %lu", -1l, (unsigned long)-1);
    assert(strcmp(text, "-1 4294967295") == 0);
    snprintf(text, sizeof text, "%zu %lld", (size_t)-1, -5ll);
    assert(strcmp(text, "18446744073709551615 -5") == 0);
    snprintf(text, sizeof text, "%" PRId64, (int64_t)1 << 40);
    assert(strcmp(text, "1099511627776") == 0);
    struct { long l; int guard; } small = {0, 7};
    sscanf("12", "%ld", &small.l);
    assert(small.l == 12 && small.guard == 7);
    size_t size;
    sscanf("99999999999", "%zu", &size);
    assert(size == 99999999999);
    assert(strtol("99999999999", 0, 10) == 2147483647);
    assert(labs(-3l) == 3);
    return 0;
}
