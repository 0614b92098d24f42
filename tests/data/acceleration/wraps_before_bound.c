// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);

/* The counter wraps around before it reaches the bound, which then holds for ever smaller values. */
int main(void) {
    unsigned char i = 250;
    int n = 0;
    while (i != 4) {
        i += 2;
        n++;
    }
    if (n == 5)
        reach_error();
}
