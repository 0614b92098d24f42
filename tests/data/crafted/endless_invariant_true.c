// expect: true
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int s = 0;
    unsigned x = 0;
    while (1) {
        s = s + 2;
        x++;
        check((unsigned)s == x * 2);
    }
}
