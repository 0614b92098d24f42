/* A proof: the array stays sorted whatever is inserted.   hone check examples/proof.c */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sorted[5];
    int length = 0;
    while (length < 5) {
        int value = __VERIFIER_nondet_int();
        int at = length;
        while (at > 0 && sorted[at - 1] > value) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = value;
        length++;
    }
    for (int i = 1; i < 5; i++)
        assert(sorted[i - 1] <= sorted[i]);
    return 0;
}
