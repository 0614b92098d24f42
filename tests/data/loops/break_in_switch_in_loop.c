// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = 0;
    for (int i = 0; i < 6; i++) {
        switch (i) {
        case 1: continue;
        case 2: break;
        case 4: n += 10; break;
        default: n++;
        }
        n += 100;
    }
    check(n == 513);
    return 0;
}
