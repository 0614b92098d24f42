// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = -5;
    check((n >> 1) == -3 && (unsigned)n >> 28 == 15 && (1u << 31) == 0x80000000u);
    unsigned long long w = 1;
    int s = 40;
    check(w << s == 0x10000000000ull && (char)1 << 8 == 256);
    short h = -1;
    check((unsigned short)h >> 4 == 0xfff && h >> 4 == -1);
    h <<= 15;
    check(h == -32768);
    return 0;
}
