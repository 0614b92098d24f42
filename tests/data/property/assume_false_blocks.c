// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void __VERIFIER_assume(int);
int main(void) {
    __VERIFIER_assume(0);
    reach_error();
}
