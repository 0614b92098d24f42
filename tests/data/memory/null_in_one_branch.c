// expect: unknown(the pointer leads to no object)
// value: unknown(the pointer leads to no object)
// predicate: unknown(the pointer leads to no object)
// value-predicate: unknown(the pointer leads to no object)
// impact: unknown(the pointer leads to no object)
// bmc: unknown(the pointer leads to no object)
// bam-value: unknown(the pointer leads to no object)
// Errors are also reached beside the access, but a machine that goes on behind it gets to one, too.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int *device;

static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int changed = 0;
    if (__VERIFIER_nondet_int()) {
        *device = 1;
        changed = 1;
    }
    check(!changed);
    return 0;
}
