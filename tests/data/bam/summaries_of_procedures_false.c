// expect: false
// bam-predicate: false
// The second call undoes what the first one did; the third does not.
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
    flip();
    flip();
    if (g != 0)
        reach_error();
    flip();
    if (g != 0)
        reach_error();
    return 0;
}
