// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 0;
    while (1) {
        check(x != 700000);
        x += 2;
    }
}
