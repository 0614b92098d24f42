// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = 0;
again:
    if (i < 5) {
        i++;
        goto again;
    }
    check(i == 5);
    goto inside;
    while (i > 0) {
        i = i - 1;
inside:
        i--;
    }
    check(i == 0);
    return 0;
}
