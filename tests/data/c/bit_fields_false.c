// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { unsigned a : 3; unsigned b : 5; };
int main(void) {
    struct s s = {0, 0};
    s.a = __VERIFIER_nondet_uint();
    s.b = 31;
    check(s.a + s.b < 38);
    return 0;
}
