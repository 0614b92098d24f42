// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char i = 1;
    int rounds = 0;
    /* 1, 6, ..., 251, then 0 (256 wraps), 5, ..., 250, 255 */
    while (i < 252) {
        i += 5;
        rounds++;
    }
    check(rounds < 60);
    return 0;
}
