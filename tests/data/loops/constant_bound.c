// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int s = 0;
    for (int i = 0; i < 2000; i++) s += i % 3;
    check(s == 1999);
    return 0;
}
