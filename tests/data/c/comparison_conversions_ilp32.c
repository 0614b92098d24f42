// expect: true
// data-model: ILP32
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    long l = -1; unsigned u = 1;
    check(l > u);
    check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8 && sizeof(long double) == 12);
    check(4294967295u == -1l);
    check(2147483648 > 0 && sizeof(2147483648) == 8 && sizeof(0x80000000) == 4);
    struct s { char c; long long l; double d; } ;
    check(sizeof(struct s) == 20);
    return 0;
}
