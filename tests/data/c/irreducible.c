// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int(), n = 0;
    if (x) goto b;
a:
    n++;
    if (n > 3) goto end;
b:
    n++;
    if (n <= 3) goto a;
end:
    check(n == 4 || n == 5);
    return 0;
}
