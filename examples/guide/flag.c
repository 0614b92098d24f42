/* Only `flag` decides, so the loop need not be unrolled.   hone check --config value --checks assertions examples/guide/flag.c */
#include <assert.h>

extern int system_call(void);

int main(int argc, char **argv) {
    int limit = argc, ticks = 0, flag = 0;
    while (1) {
        ticks++;
        if (system_call() == 0 || ticks > limit)
            break;
    }
    assert(flag == 0);
    return 0;
}
