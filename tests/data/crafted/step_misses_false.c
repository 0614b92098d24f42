// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned i = 1;
    while (i < 2000000)
        i += 7;
    check(i != 2000006);
}
