// expect: unknown(unwinding bound 4 reached)
// args: --unwind 4
// Objects made in a loop have addresses of their own, so that states with them never come back; the proof needs more than unwinding.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    char *first = malloc(1);
    while (__VERIFIER_nondet_int()) {
        char *next = malloc(1);
        if (next == first) __VERIFIER_error();
    }
    return 0;
}
