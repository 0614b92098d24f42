// expect: unknown(through a null pointer)
// value: unknown(through a null pointer)
// predicate: unknown(through a null pointer)
// value-predicate: unknown(through a null pointer)
// impact: unknown(through a null pointer)
// bmc: unknown(through a null pointer)
// bam-value: unknown(through a null pointer)
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
