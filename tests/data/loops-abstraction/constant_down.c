// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = 4000000000u, y = 0;
    while (x > 3) {
        x -= 4;
        y++;
    }
    check(x == 0 && y == 1000000000u);
    return 0;
}
