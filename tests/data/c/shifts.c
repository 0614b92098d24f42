// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a = -8;
    check(a >> 1 == -4);
    unsigned b = 0x80000000u;
    check(b >> 31 == 1);
    check((1u << 31) >> 31 == 1);
    unsigned char c = 0x80;
    check((c << 1) == 256);
    return 0;
}
