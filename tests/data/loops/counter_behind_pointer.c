// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { int c; int d; };
static void step(struct s *s) { if (s->c < 19) s->c++; else s->c = 0; }
int main(void) {
    struct s object = {0, 7}, *s = &object;
    for (int i = 0; i < 50; i++) {
        step(s);
        check(s->c < 20 && object.d == 7);
    }
    check(s->c == 10);
    return 0;
}
