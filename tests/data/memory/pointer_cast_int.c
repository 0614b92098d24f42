// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 3;
    unsigned long a = (unsigned long)&x;
    int *p = (int *)a;
    *p = 4;
    check(x == 4 && a % 4 == 0 && a != 0);
    return 0;
}
