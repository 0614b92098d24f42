// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { short a; char b; int c; } x;
int main(void) {
    unsigned char *p = (unsigned char *)&x;
    p[4 + (__VERIFIER_nondet_uint() & 3)] = 1;
    check(x.c != 0x10000);
    return 0;
}
