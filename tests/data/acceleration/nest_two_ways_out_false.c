// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

/* The inner loop is left in the middle, and what comes then depends on the way. */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned j = 0;
        while (j < 1000) {
            if (j == 10)
                break;
            j++;
            x++;
        }
        if (j == 10)
            y += 20;
    }
    if (x == 20000 && y == 40000)
        reach_error();
}
