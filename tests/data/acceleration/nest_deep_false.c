// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

/* 150,000 inner iterations; each outer one has an input of its own, and the last one decides. */
int main(void) {
    unsigned x = 0, last = 0;
    for (unsigned i = 0; i < 30; i++) {
        unsigned c = __VERIFIER_nondet_uint();
        if (c < 5)
            return 0;
        for (unsigned j = 0; j < 5000; j++)
            x += 3;
        last = c;
    }
    if (x == 450000 && last == 77)
        reach_error();
}
