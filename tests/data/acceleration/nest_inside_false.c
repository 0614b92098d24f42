// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);

/* The error is in the middle of an inner iteration, behind many outer ones. */
int main(void) {
    unsigned x = 0;
    for (unsigned i = 0; i < 2000; i++)
        for (unsigned j = 0; j < 500; j++) {
            if (i == 1234 && j == 321 && x == 617321)
                reach_error();
            x++;
        }
}
