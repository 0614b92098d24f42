// expect: unknown(undefined behaviour)
// The write traps.
#include <assert.h>

int main(void) {
    char *s = "ab";
    s[0] = 'c';
    assert(s[0] == 'a');
    return 0;
}
