// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = 1000000, x = n, y = 0;
    while (x > 0) {
        x = x - 1;
        y = y + 1;
    }
    check(y != n);
}
