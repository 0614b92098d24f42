// expect: false
// bam-value: false
// As blocks_of_no_use.c, but the last step is forgotten.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int position, laps;

static int next(int n) {
    if (n >= 9)
        return 0;
    return n + 1;
}

static void step(void) {
    position = next(position);
    if (position == 0)
        laps++;
}

int main(void) {
    for (int i = 0; i < 150; i++)
        step();
    assert(position == 0);
    assert(laps == 15);
    if (__VERIFIER_nondet_int())
        step();
    assert(position == 0);
    return 0;
}
