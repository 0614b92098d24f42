// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = 1, rounds = 0;
    while (i <= 2000000000) {
        i += 1000;
        rounds++;
    }
    check(i == 2000000001 && rounds == 2000000);
    return 0;
}
