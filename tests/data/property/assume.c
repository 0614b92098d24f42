// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void __VERIFIER_assume(int);
void assume_abort_if_not(int c) { if (!c) abort(); }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3);
    assume_abort_if_not(y > x && y < 1000);
    check(y > 4);
    return 0;
}
