// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            n++;
    check(n == 15);
    return 0;
}
