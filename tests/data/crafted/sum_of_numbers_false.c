// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned n = 20000, s = 0;
    for (unsigned i = 0; i < n; i++)
        s += i;
    check(s != 199990000);
}
