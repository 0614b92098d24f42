// expect: true
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int d = __VERIFIER_nondet_int() ? 1 : 0, x = __VERIFIER_nondet_int();
    while (x > 0)
        x = x - d;
    if (x > 0)
        reach_error();
}
