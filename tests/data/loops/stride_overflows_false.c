// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char x = 0;
    int steps = 0;
    while (x < 253) {
        x += 7;
        steps++;
        if (steps > 40) break;
    }
    check(steps <= 36);
    return 0;
}
