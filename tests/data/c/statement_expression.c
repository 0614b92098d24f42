// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = ({ int y = 3; y * 2; });
    check(x == 6);
    __typeof__(x) z = 4;
    check(z == 4);
    return 0;
}
