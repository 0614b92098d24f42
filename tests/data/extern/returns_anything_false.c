// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int library(int);
int main(void) {
    int a = library(1), b = library(1);
    check(a == b);
    return 0;
}
