// expect: true
// What is declared with `cleanup` is given to a function wherever it goes out of scope.
#include <assert.h>
#include <stdlib.h>

static int order[8], n;

static void release(char **block)
{
    free(*block);
}

static void note(int *number)
{
    order[n++ % 8] = *number;
}

#define OWNED __attribute__((cleanup(release)))
#define NOTED __attribute__((cleanup(note)))

static int value(int early)
{
    OWNED char *block = malloc(4);
    NOTED int first = 1;
    if (!block)
        return -1;
    *block = 7;
    if (early) {
        NOTED int second = 2;
        return *block + second;
    }
    for (int i = 0; i < 3; i++) {
        NOTED int third = 3 + i;
        if (i == 1)
            continue;
        if (i == 2)
            break;
    }
    return *block;
}

int main(void)
{
    int early = value(1);
    assert(early == -1 && n == 1 || early == 9 && n == 2 && order[0] == 2 && order[1] == 1);
    n = 0;
    int late = value(0);
    assert(late == -1 || late == 7 && n == 4 && order[0] == 3 && order[1] == 4 && order[2] == 5 && order[3] == 1);
    return 0;
}
