// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *malloc(unsigned long);
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 0;
    for (int i = 0; i < 5; i++) *p += 2;
    check(*p != 10);
    return 0;
}
