// expect: false
// property: CHECK( init(main()), LTL(G ! call(forbidden())) )
extern int __VERIFIER_nondet_int(void);
extern void forbidden(void);
extern void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 3) forbidden();
    return 0;
}
