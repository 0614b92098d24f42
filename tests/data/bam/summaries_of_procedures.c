// expect: true
// bam-predicate: true
// What a procedure with a loop does is a relation between values at its entry and at its return, the same for all calls.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int g = 0;

static void flip(void) {
    while (__VERIFIER_nondet_int()) {
        g = 1 - g;
        g = 1 - g;
    }
    g = 1 - g;
}

int main(void) {
    do {
        flip();
        if (g != 1)
            reach_error();
        flip();
        if (g != 0)
            reach_error();
    } while (__VERIFIER_nondet_int());
    return 0;
}
