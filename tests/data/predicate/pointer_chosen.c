// expect: true
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int x, y;
int main(void) {
    int *p = &x;
    if (__VERIFIER_nondet_int()) p = &y;
    x = 1;
    y = 1;
    while (__VERIFIER_nondet_int()) *p = 1;
    check(x == 1 && y == 1);
    return 0;
}
