// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char c = 0;
    unsigned s = 0;
    while (c < 200) {
        c++;
        s += 1000000;
    }
    check(s == 200000000);
    return 0;
}
