// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int *p = 0, last = 0;
    for (int i = 0; i < 3; i++) {
        int x = i * 10;
        p = &x;
        *p += 1;
        last = x;
    }
    check(last == 21);
    return 0;
}
