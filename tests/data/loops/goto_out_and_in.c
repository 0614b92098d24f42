// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = 0, n = 0, rounds = 0;
    goto middle;
    while (i < 5) {
        n += 100;
middle:
        n++;
        i++;
        if (i == 3)
            goto out;
    }
    check(i == 5 && n == 206 && rounds == 1);
    return 0;
out:
    check(n == 203);
    if (rounds++ == 0) {
        n -= 99;
        goto middle;
    }
    return 0;
}
