// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char c = 0;
    unsigned n = 0;
    while (n < 300000) {
        n++;
        c++;
    }
    check(c != 224);
}
