// expect: false
extern void __VERIFIER_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    if (b) __VERIFIER_error();
    return 0;
}
