// expect: false
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned i = 0;
    int x = 0;
    while (i < 60000) {
        x = __VERIFIER_nondet_int();
        __VERIFIER_assume(x >= 0);
        i++;
    }
    check(x != 123456);
}
