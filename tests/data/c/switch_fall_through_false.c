// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int(), r = 0;
    switch (x) {
    case 1: r = 1;
    case 2: r = 2;
    }
    check(x != 1 || r == 1);
    return 0;
}
