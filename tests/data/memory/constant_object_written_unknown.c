// expect: unknown(undefined behaviour)
#include <assert.h>

static const int numbers[2] = {1, 2};

int main(void) {
    *(int *)&numbers[1] = 5;
    assert(numbers[1] == 2);
    return 0;
}
