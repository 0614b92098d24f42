// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { int c; int d; };
int main(void) {
    struct s object = {0, 0}, *s = &object;
    while (1) {
        s->c++;
        check(s->c != 20);
    }
}
