// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct p { int x, y; };
extern struct p get(void);
int main(void) {
    struct p p = get();
    check(p.x != 5);
    return 0;
}
