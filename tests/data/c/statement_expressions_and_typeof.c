// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
int main(void) {
    int i = 3, j = 5;
    check(MAX(i++, j++) == 5 && i == 4 && j == 6);
    check(MAX(MAX(1, 2), 3) == 3);
    int v = ({ if (i) goto out; 4; });
    check(0);
out:
    check(i == 4);
    return 0;
}
