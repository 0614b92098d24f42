// expect: true
// environment: --acsl
// Terms are computed in mathematical integers.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    unsigned u = __VERIFIER_nondet_uint();
    unsigned long w = __VERIFIER_nondet_ulong();
    //@ assert a + 1 > a && a - 1 < a;
    //@ assert u - 1 < u && u + 1 > u && -u <= 0;
    //@ assert u >= 0 > -1;
    //@ assert ~u < 0 && -1 < u;
    //@ assert a < b <==> b - a > 0;
    //@ assert w + w >= w && w - 1 < w;
    //@ assert (u << 3) == u * 8;
    //@ assert (a < 0) ^^ (a >= 0);
    //@ assert (unsigned)(u + 1) == u + 1 || u == 4294967295;
    //@ assert \abs(a) >= 0 && \max(a, b) >= \min(a, b);
    //@ assert \forall integer i; -10 < i < 10 ==> i < u + 10;
    //@ assert \exists integer i; 0 <= i < 4 && i == u % 4;
    return 0;
}
