// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i, j, n = 0;
    for (i = 0; i < 100000; i++) {
        for (j = 0; j < 100000; j++) n ^= j;
    }
    check(i == 100000);
    return 0;
}
