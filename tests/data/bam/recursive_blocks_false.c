// expect: false
// bam-value: false
// Two functions call each other, and the exit that violates is found in the second round of the fixpoint.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int depth = 0;

static void odd(void);

static void even(void) {
    if (depth >= 2)
        return;
    if (__VERIFIER_nondet_int())
        odd();
}

static void odd(void) {
    depth = depth + 1;
    even();
}

int main(void) {
    even();
    if (depth == 2)
        reach_error();
    return 0;
}
