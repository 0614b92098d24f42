/* A bug that needs a certain sequence of inputs.   hone check --output out examples/loop_bug.c
 *
 * out/harness.c then drives the program to the error: its first lines say how to compile it. */
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int state = 0;
    for (int round = 0; round < 6; round++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        switch (state) {
        case 0: state = c == 'h' ? 1 : 0; break;
        case 1: state = c == 'o' ? 2 : 0; break;
        case 2: state = c == 'n' ? 3 : 0; break;
        case 3: state = c == 'e' ? 4 : 0; break;
        }
    }
    assert(state != 4);
    return 0;
}
