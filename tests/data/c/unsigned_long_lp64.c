// expect: true
// data-model: LP64
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = -1;
    unsigned u = 1;
    check((long)i + u == 0);
    check(sizeof(long) == 8 && sizeof(void *) == 8);
    return 0;
}
