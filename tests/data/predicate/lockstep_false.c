// expect: false
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) { x++; if (x != 4) y++; }
    check(x == y);
    return 0;
}
