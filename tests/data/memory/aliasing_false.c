// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

void copy(int *to, int *from) { *to = 0; *to = *from; }
int main(void) {
    int x = 5;
    copy(&x, &x);
    check(x == 5);
    return 0;
}
