// expect: true
// data-model: ILP32
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    long l = -1;
    unsigned u = 1;
    check(!(l < u));
    check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    return 0;
}
