// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int g, *p = &g;
static void touch(int *q) { *q += 3; }
int main(void) {
    for (int i = 0; i < 5; i++) {
        if (i == 3)
            touch(p);
    }
    check(g == 0);
    return 0;
}
