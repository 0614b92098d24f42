// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int f(int x) {
    int r = 0;
    switch (x) {
    case 1:
        r += 1;
    case 2:
        r += 2;
        break;
    case 3 ... 5:
        r = 10;
        break;
    default:
        r = -1;
    }
    return r;
}
int main(void) {
    check(f(1) == 3);
    check(f(2) == 2);
    check(f(4) == 10);
    check(f(9) == -1);
    return 0;
}
