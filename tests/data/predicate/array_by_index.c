// expect: true
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int a[100];
int main(void) {
    unsigned i = 0;
    a[50] = 3;
    while (__VERIFIER_nondet_int()) {
        i = (unsigned)__VERIFIER_nondet_int();
        if (i < 50) a[i] = 1;
    }
    check(a[50] == 3);
    return 0;
}
