// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
int (*table[2])(int) = {inc, dec};
int apply(int (*f)(int), int x) { return (*f)(x); }
int main(void) {
    check(table[0](5) == 6);
    check(apply(dec, 5) == 4);
    int k = __VERIFIER_nondet_int() & 1;
    check(apply(table[k], 0) == (k ? -1 : 1));
    check(table[0] == inc && inc == &inc);
    return 0;
}
