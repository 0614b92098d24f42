// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 400000, y = 0;
    while (x >= 0) {
        x -= 3;
        y += 3;
    }
    check(y != 400002 || x != -2);
}
