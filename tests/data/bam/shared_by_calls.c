// expect: true
// bam-value: true
// One abstraction of a function serves all calls that differ in nothing that matters to it.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int state = 0;
int unrelated = 7;

static void step(int noise) {
    if (noise > 3)
        noise = 3;
    if (state == 0)
        state = 1;
    else if (state == 1)
        state = 2;
    else
        state = 0;
}

int main(void) {
    for (int i = 0; i < 5; i++) {
        state = 0;
        step(__VERIFIER_nondet_int());
        assert(state == 1);
        step(__VERIFIER_nondet_int());
        assert(state == 2);
        step(i);
        assert(state == 0);
        assert(unrelated == 7);
    }
    return 0;
}
