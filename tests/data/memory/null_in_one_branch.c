// expect: unknown(no run gets past it)
// value: unknown(no run gets past it)
// predicate: unknown(no run gets past it)
// value-predicate: unknown(no run gets past it)
// impact: unknown(no run gets past it)
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
