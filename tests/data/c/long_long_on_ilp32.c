// expect: true
// data-model: ILP32
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    long long a = 1ll << 40;
    unsigned long u = 0xffffffff;
    check(u + 1 == 0 && a >> 38 == 4 && (long)a == 0 && a / 3 == 366503875925ll);
    check((unsigned long)-1 == 4294967295u && (long long)u == 4294967295ll && (long long)(long)u == -1);
    int *p = 0;
    check(sizeof(p - p) == 4 && sizeof(sizeof 1) == 4);
    check(-1 < 0u == 0 && -1l < 0u == 0 && -1ll < 0u);
    return 0;
}
