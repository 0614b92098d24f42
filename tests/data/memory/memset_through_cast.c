// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *memset(void *, int, unsigned long);
struct s { int a; long b; char *p; } x = {1, 2, 0};
int main(void) {
    memset(&x, 0xff, sizeof(int));
    check(x.a == -1 && x.b == 2);
    memset(&x.b, 1, 3);
    check(x.b == 0x10101);
    memset(&x, 0, sizeof x);
    check(!x.a && !x.b && !x.p);
    return 0;
}
