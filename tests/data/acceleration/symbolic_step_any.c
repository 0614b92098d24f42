// expect: true
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Whatever the step is: the condition is told iteration by iteration. */
int main(void) {
    int x = 0, y = __VERIFIER_nondet_int();
    if (y <= 0)
        return 0;
    while (x < 100)
        x = x + y;
    if (x == 101 && y < 20)
        reach_error();
}
