// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static int (*const table[2])(int) = {inc, dbl};
struct ops { int (*f)(int); int bias; } ops[2] = {{dbl, 5}, {inc, 7}};
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() & 1;
    int r = table[i](10);
    check(i ? r == 20 : r == 11);
    struct ops *o = &ops[i];
    check(o->f(3) + o->bias == (i ? 11 : 11));
    ops[1].f = dbl;
    check(ops[1].f(3) == 6);
    return 0;
}
