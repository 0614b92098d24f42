// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0) x = 7;
        if (i == 1) check(x == 7);
    }
    return 0;
}
