// expect: false
// args: --config bmc-trace-automata
// others: skip
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Only steps of 1 and -1 are accelerated: iterations with other steps must stay. */
int main(void) {
    int x = 0, y = __VERIFIER_nondet_int();
    while (x < 100)
        x = x + y;
    if (x == 105)
        reach_error();
}
