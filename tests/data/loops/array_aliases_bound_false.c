// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[4] = {0, 0, 0, 9}, *end = &a[3], i = 0;
    while (i < *end && i < 4) {
        a[i] = 2;
        i++;
    }
    check(i != 4);
    return 0;
}
