// expect: false
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

struct machine { int state; int count; };
static void step(struct machine *m, struct machine *other) {
    if (m->state == 0) { m->state = 1; other->count = 3; }
    else { m->state = 0; m->count = 0; }
}
int main(void) {
    struct machine a, b;
    a.state = 0; a.count = 0;
    b.state = 0; b.count = 0;
    while (__VERIFIER_nondet_int()) { step(&a, &b); step(&b, &b); }
    check(a.state == 0 || a.count == 3);
    return 0;
}
