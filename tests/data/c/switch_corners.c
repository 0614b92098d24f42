// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int f(int x) {
    int n = 0;
    switch (x) {
        n = 1000;
    case 1 ... 3: n += 1;
    case 4: { n += 10; case 5: n += 100; } break;
    default: n = -1; break;
    case -1: return 7;
    }
    return n;
}
static int g(unsigned char c) { switch (c) { case 255: return 1; case 0: return 2; default: return 3; } }
static int h(long long x) { switch (x) { case 0x100000000ll: return 1; case 0: return 2; } return 3; }
int main(void) {
    check(f(1) == 111 && f(3) == 111 && f(4) == 110 && f(5) == 100 && f(6) == -1 && f(-1) == 7);
    check(g(-1) == 1 && g(256) == 2);
    check(h(0x100000000ll) == 1 && h(0) == 2 && h(1) == 3);
    return 0;
}
