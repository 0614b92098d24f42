// expect: false
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = __VERIFIER_nondet_int();
    while (x < 100)
        x = x + y;
    if (x == 105)
        reach_error();
}
