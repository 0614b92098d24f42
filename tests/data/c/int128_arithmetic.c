// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    __int128 x = 1;
    x <<= 100;
    unsigned __int128 y = -1;
    check(x > 0 && (x >> 90) == 1024 && y > (unsigned __int128)x && (long long)x == 0);
    check((unsigned long long)(y >> 64) == ~0ull && x / 3 * 3 + x % 3 == x && (__int128)-7 / 2 == -3);
    return 0;
}
