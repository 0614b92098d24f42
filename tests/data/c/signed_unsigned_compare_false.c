// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = __VERIFIER_nondet_int();
    unsigned n = 10;
    if (i < 10)
        check(i < n);
    return 0;
}
