// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { int a; struct { char c; short d[3]; } in; struct s *next; };
int main(void) {
    struct s x = {1, {2, {3, 4, 5}}, 0}, y = {6, {7, {8, 9, 10}}, &x};
    short *p = &y.next->in.d[1];
    *p = 40;
    check(x.in.d[1] == 40 && x.in.d[0] == 3 && x.in.d[2] == 5 && y.in.d[1] == 9 && x.in.c == 2);
    struct s *q = (struct s *)((char *)p - (unsigned long)&((struct s *)0)->in.d[1]);
    check(q == &x && q->a == 1);
    y = *y.next;
    check(y.a == 1 && y.next == 0);
    return 0;
}
