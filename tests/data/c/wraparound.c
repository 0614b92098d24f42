// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    check(x + 1 - 1 == x);
    check((x & 1) == x % 2);
    unsigned long long big = 0xffffffffffffffffull;
    check(big + 1 == 0);
    return 0;
}
