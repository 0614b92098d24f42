// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct link { struct link *next; };
struct obj { int id; struct link link; };
int main(void) {
    struct obj o = {42, {0}};
    struct link *l = &o.link;
    struct obj *p = (struct obj *)((char *)l - __builtin_offsetof(struct obj, link));
    check(p == &o && p->id == 42);
    return 0;
}
