// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 0, y = 50000;
    while (x < 100000) {
        if (x >= 50000)
            y++;
        x++;
    }
    check(y != 100000);
}
