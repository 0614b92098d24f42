// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);

void never(void) {
ERROR:
    return;
}
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x % 4 == 5) {
ERROR:  ;
    }
    return 0;
}
