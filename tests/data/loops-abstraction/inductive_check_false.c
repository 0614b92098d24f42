// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int lock = 0;
    unsigned turns = 0;
    while (__VERIFIER_nondet_int()) {
        check(lock == 0);
        turns++;
        if (turns == 4) lock = 1;
    }
    return 0;
}
