// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static int x;
static void eval(void) { x = 1; }
int main(void) {
    while (1) {
        eval();
        check(x == 0);
    }
}
