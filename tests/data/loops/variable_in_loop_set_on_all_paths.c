// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        if (i == 0) x = 1; else x = i * 2;
        sum += x;
    }
    check(sum == 7);
    return 0;
}
