// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = 0xfffffff0u, steps = 0;
    while (x > 5) {
        x += 7;
        steps++;
    }
    check(steps == 3 && x == 5);
    return 0;
}
