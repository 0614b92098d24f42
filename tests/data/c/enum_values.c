// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

enum e { A = -2, B, C, D = 10, E = D + C };
enum big { X = 0xffffffff };
int main(void) {
    enum e v = B;
    check(v < 0 && A == -2 && C == 0 && E == 10 && sizeof v == 4);
    v = C;
    check(v - 1 < 0);
    check(X > 0 && X == 0xffffffffu);
    enum f { A = 40 };
    check(A == 40);
    return 0;
}
