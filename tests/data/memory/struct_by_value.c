// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct in { int a[3]; char c; };
struct out { struct in x, y; };
static struct in change(struct in s) { s.a[1] = 9; s.c++; return s; }
int main(void) {
    struct out o = {{{1, 2, 3}, 'a'}, {{4, 5, 6}, 'b'}};
    struct in r = change(o.x);
    check(o.x.a[1] == 2 && r.a[1] == 9 && r.c == 'b' && r.a[2] == 3);
    o.y = o.x;
    o.x.a[0] = 50;
    check(o.y.a[0] == 1);
    o.x = o.x;
    check(change(o.x).a[0] == 50);
    struct out *p = &o;
    p->x = p->y;
    check(o.x.a[0] == 1);
    return 0;
}
