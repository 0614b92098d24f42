// expect: true
// checks: assertions,memory
// Numbers are stored as far as the result says.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 5, y = 6;
    int found = scanf("%d %d", &x, &y);
    if (found < 1)
        assert(x == 5);
    if (found < 2)
        assert(y == 6);
    return 0;
}
