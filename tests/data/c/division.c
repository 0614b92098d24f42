// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    check(-7 / 2 == -3 && -7 % 2 == -1);
    check(7 / -2 == -3 && 7 % -2 == 1);
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (y > 0 && y < 50 && x >= 0 && x < 50)
        check((x / y) * y + x % y == x);
    return 0;
}
