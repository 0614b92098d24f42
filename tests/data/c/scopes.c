// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int x = 1;
static int f(void) { extern int x; return x; }
int main(void) {
    int x = 2;
    { int x = 3; { extern int x; check(x == 1); x = 9; } check(x == 3); }
    for (int x = 0; x < 1; x++) { int y = x; int x = y + 5; check(x == 5); }
    check(x == 2 && f() == 9);
    struct x { char c; };
    check(sizeof(struct x) == 1 && sizeof(x) == 4);
    return 0;
}
