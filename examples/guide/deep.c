/* A bug behind a million iterations.   hone check --config bmc-acceleration examples/guide/deep.c */
#include <assert.h>

int main(void) {
    unsigned n = 1000000, x = n, y = 0;
    while (x > 0) {
        x--;
        y++;
    }
    assert(y != n);
    return 0;
}
