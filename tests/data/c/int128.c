// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned __int128 x = (unsigned __int128)1 << 100;
    check((x >> 64) == (1ull << 36));
    check((unsigned long long)x == 0);
    return 0;
}
