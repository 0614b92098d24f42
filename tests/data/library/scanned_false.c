// expect: false
// checks: assertions,memory
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 5, y = 6;
    int found = scanf("%d %d", &x, &y);
    if (found == 1)
        assert(x == 5);
    return 0;
}
