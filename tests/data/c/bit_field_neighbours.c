// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { int a : 5; int b : 7; int : 0; int c : 9; } x;
int main(void) {
    int v = __VERIFIER_nondet_int();
    x.b = -3; x.c = 77;
    x.a = v;
    check(x.b == -3 && x.c == 77);
    check(x.a >= -16 && x.a <= 15);
    check(sizeof x == 8);
    return 0;
}
