// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct p { int x, y; };
static int f(const struct p *p) { return p->x * 10 + p->y; }
int main(void) {
    int total = 0;
    for (int i = 0; i < 3; i++) {
        struct p *p = &(struct p){.y = i};
        p->x++;
        total += f(p);
    }
    check(total == 33);
    int *a = (int[]){1, 2, [5] = 9};
    check(a[5] == 9 && a[3] == 0 && a[1] == 2);
    check(f(&(struct p){4, 2}) == 42);
    return 0;
}
