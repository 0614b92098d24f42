// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    _Bool b = 256;
    check(b == 1);
    b = 0.5;
    check(b == 1);
    b += 1;
    check(b == 1);
    check(sizeof(_Bool) == 1);
    return 0;
}
