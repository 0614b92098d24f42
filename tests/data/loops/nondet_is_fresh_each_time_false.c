// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int first = __VERIFIER_nondet_int(), same = 1;
    for (int i = 0; i < 2; i++) {
        int v = __VERIFIER_nondet_int();
        if (v != first) same = 0;
    }
    check(same);
    return 0;
}
