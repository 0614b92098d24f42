// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned a[3] = {2, 3, 5}, k = __VERIFIER_nondet_uint(), sum = 0;
    __VERIFIER_assume(k < 3);
    for (unsigned i = 0; i != 200000; i++)
        sum += a[k];
    check(sum != 600000);
}
