// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 12345) {
ERROR:  goto ERROR;
    }
    return 0;
}
