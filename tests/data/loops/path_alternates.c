// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 0, y = 0;
    for (int i = 0; i < 12; i++) {
        if (i & 1) x += 2; else y += 3;
    }
    check(x == 12 && y == 18);
    return 0;
}
