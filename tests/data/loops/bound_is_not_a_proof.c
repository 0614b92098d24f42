// expect: unknown(unwinding bound 4 reached)
// args: --unwind 4
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    while (i < n) i++;
    check(i != 10);
    return 0;
}
