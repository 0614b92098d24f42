// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { int a; int b[3]; struct { char c; } d; };
int main(void) {
    struct s s = {.b = {[1] = 5}, .d.c = 'x'};
    check(s.a == 0 && s.b[0] == 0 && s.b[1] == 5 && s.d.c == 'x');
    int m[] = {[3] = 1, 2};
    check(sizeof m / sizeof *m == 5 && m[4] == 2);
    struct s *p = &(struct s){7};
    check(p->a == 7 && p->b[2] == 0);
    return 0;
}
