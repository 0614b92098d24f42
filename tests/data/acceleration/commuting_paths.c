// expect: true
// args: --config bmc-trace-automata --unwind 4
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    int c = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        if (c)
            x--;
        else
            y--;
        c = __VERIFIER_nondet_int();
    }
    if (x != 0 && y != 0)
        reach_error();
}
