// expect: false
// bam-value: false
// A function changes an object of its caller's that it gets to through a global variable.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);

int *kept;

static int *make(int content) {
    int *p = malloc(sizeof(int));
    if (kept != 0 && content == 3)
        *kept = 3;
    *p = content;
    return p;
}

int main(void) {
    int *a = make(1);
    kept = a;
    int *b = make(2);
    if (*a != 1 || *b != 2)
        return 0;
    b = make(3);
    if (*a == 3)
        reach_error();
    return 0;
}
