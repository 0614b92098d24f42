// expect: true
// bam-predicate: true
// A fixpoint over the block abstractions of a procedure that calls itself.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

static int steps(int n) {
    if (n <= 0)
        return 0;
    return steps(n - 1) + 1;
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        return 0;
    if (steps(a) != a)
        reach_error();
    return 0;
}
