// expect: true
// args: --config bmc-trace-automata
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    /* The character runs through all its values before it gets to zero. */
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned steps = 0, start = c;
    __VERIFIER_assume(c > 0);
    while (c != 0) {
        c++;
        steps++;
    }
    check(steps == 256 - start);
}
