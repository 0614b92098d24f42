// expect: true
// Without instructions, operands keep their values: compilers only forget what they know of them.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }
static unsigned barrier(unsigned x) { __asm__ ("" : "+r"(x)); return x; }

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = 5, c = 6;
    check(barrier(a) == a);
    unsigned *p = &b, *q;
    __asm__ volatile (" \n" : "=r"(q) : "0"(p) : "memory");
    check(q == &b && *q == 5);
    __asm__ ("" : "=r"(b), [out] "=r"(c) : "0"(c), "[out]"(b));
    check(b == 6 && c == 5);
    __asm__ volatile ("" : "+m"(a), "+m"(c) : "r"(&b) : "memory");
    check(b == 6 && c == 5);
    return 0;
}
