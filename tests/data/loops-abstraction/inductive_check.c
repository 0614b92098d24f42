// expect: true
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
        lock = 1;
        turns = turns * 5 + 1;
        if (turns % 3) turns++;
        check(lock == 1);
        lock = 0;
    }
    check(lock == 0);
    return 0;
}
