// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct p { int x, y; };
struct p swap(struct p a) { struct p b = {a.y, a.x}; a.x = 99; return b; }
int main(void) {
    struct p a = {1, 2}, b = a, c;
    b.x = 5;
    check(a.x == 1);
    c = swap(a);
    check(c.x == 2 && c.y == 1 && a.x == 1);
    return 0;
}
