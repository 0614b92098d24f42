// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = -1;
    unsigned u = 1;
    check(!(i < u));
    check(i < (int)u);
    check((long)i < (long)u);
    check(-1 > 0u);
    return 0;
}
