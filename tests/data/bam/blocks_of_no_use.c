// expect: true
// bam-value: true
// Functions that are cheaper to go through than to look up, in a loop: they are no blocks any more in the end.
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
    assert(position == 0 || position == 1);
    return 0;
}
