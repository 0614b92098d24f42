// expect: false
// checks: assertions,memory
// harness: no compiler knows quantifiers
// The first element is one, but those behind the end of the array are asked about, too.
#include <assert.h>

int main(void) {
    int a[10] = {0};
    assert(__CPROVER_exists { int i; (0 <= i && i < 20) && a[i] == i });
    return 0;
}
