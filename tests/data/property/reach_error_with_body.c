// expect: false
extern void abort(void);
extern long __VERIFIER_nondet_long(void);
void reach_error() { abort(); }
int main(void) {
    long l = __VERIFIER_nondet_long();
    if (l == 0x123456789l) reach_error();
    return 0;
}
