// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned i = 0, rounds = 0;
    while (i != 3000003) {
        i += 3;
        rounds++;
    }
    check(rounds != 1000001);
}
