// expect: true
// Recursive functions call blocks, with pointers to variables of several of their instances.
#include <assert.h>

int calls = 0;

static void raise(int *what, int by) {
    if (by > 0)
        *what += by;
    calls++;
}

static int down(int n, int *above) {
    int mine = n;
    if (n == 0)
        return 0;
    raise(&mine, 1);
    raise(above, 2);
    int below = down(n - 1, &mine);
    assert(mine == n + (n > 1 ? 3 : 1));
    return below + 1;
}

int main(void) {
    int top = 0;
    assert(down(3, &top) == 3);
    assert(top == 2 && calls == 6);
    return 0;
}
