// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int calls;
int side(int v) { calls++; return v; }
int main(void) {
    int r = side(0) && side(1);
    check(!r && calls == 1);
    r = side(1) || side(1);
    check(r && calls == 2);
    r = side(1) ? 10 : side(5);
    check(r == 10 && calls == 3);
    r = (side(1), side(7));
    check(r == 7 && calls == 5);
    return 0;
}
