// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned N = 1000000, x = N, y = 0;
    while (x > 0) {
        x = x - 1;
        y = y + 1;
    }
    if (!(y != N))
        reach_error();
}
