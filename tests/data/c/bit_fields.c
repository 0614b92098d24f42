// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { unsigned a : 3; int b : 4; unsigned c : 30; };
int main(void) {
    struct s s;
    s.a = 9;
    s.b = 15;
    s.c = 5;
    check(s.a == 1);
    check(s.b == -1);
    check(s.a - 2 < 0);
    check(s.c == 5);
    return 0;
}
