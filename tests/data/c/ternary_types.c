// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned u = 1; signed char c = -1; int z = __VERIFIER_nondet_int() & 0;
    check((z ? u : c) == 4294967295u);
    check((z ? 1.5 : 2) / 4 == 0.5);
    check((c ?: 7) == -1 && (z ?: 7) == 7);
    long long w = z ? 1ll : -1;
    check(w == -1 && (z ? 1u : -1) > 0 && (long long)(z ? 1u : -1) == 4294967295ll);
    return 0;
}
