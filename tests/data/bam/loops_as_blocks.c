// expect: true
// bam-value: true
// Loops within loops, left in several ways, with variables that live in one round only.
#include <assert.h>
int __VERIFIER_nondet_int(void);

static int find(int wanted) {
    for (int i = 0; i < 3; i++) {
        int round[2] = {i, i + 1};
        int *p = &round[1];
        if (*p == wanted)
            return i;
        for (int j = 0; j < 2; j++) {
            if (round[j] == 7)
                goto out;
        }
        if (wanted < 0)
            break;
    }
    return -1;
out:
    return 9;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int here = find(i + 1), *p = &here;
        if (*p != i)
            sum = 100;
        sum += here;
    }
    assert(sum == 3);
    assert(find(4) == -1);
    assert(find(-2) == -1);
    return 0;
}
