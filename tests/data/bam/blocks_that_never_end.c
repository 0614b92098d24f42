// expect: true
// bam-value: true
// Nothing follows the call of a function that never returns.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);

static void give_up(int code) {
    if (code)
        abort();
    else
        exit(1);
}

static void wait_for_ever(int code) {
    while (1) {
        if (code == 3)
            code = 4;
    }
}

int main(void) {
    if (__VERIFIER_nondet_int()) {
        give_up(__VERIFIER_nondet_int());
        reach_error();
    }
    if (__VERIFIER_nondet_int())
        wait_for_ever(1);
    else
        return 0;
    reach_error();
}
