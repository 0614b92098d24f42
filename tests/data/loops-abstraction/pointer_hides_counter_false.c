// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct state { int c; } s, *p = &s;
int main(void) {
    while (1) {
        p->c++;
        if (p->c == 20) reach_error();
    }
}
