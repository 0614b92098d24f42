// expect: true
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    int x = 5;
    while (i < n) {
        x = __VERIFIER_nondet_int();
        __VERIFIER_assume(x > 10 && x < 100);
        i++;
    }
    check(n == 0 ? x == 5 : x > 10 && x < 100);
}
