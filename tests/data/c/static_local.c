// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int next(void) { static int n = 5; return n++; }
int main(void) {
    check(next() == 5);
    check(next() == 6);
    check(next() == 7);
    return 0;
}
