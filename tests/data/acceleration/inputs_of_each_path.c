// expect: true
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Two paths with the same effect: one acceleration serves both. */
int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        if (__VERIFIER_nondet_int())
            x--;
        else
            x = x - 1;
    }
    if (x > 0)
        reach_error();
}
