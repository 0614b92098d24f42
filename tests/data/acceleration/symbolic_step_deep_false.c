// expect: false
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* With a step of 7, 142858 iterations; the condition fails first far from the first ones. */
int main(void) {
    int x = 0, y = __VERIFIER_nondet_int();
    if (y < 5 || y > 9)
        return 0;
    while (x < 1000000)
        x = x + y;
    if (x == 1000006)
        reach_error();
}
