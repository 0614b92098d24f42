// expect: true
// value-predicate: true
// counts: cegar.predicate_refinements>=1
// invariant: value-predicate proved with the invariant `mode == 0 || (n >= 11 && mode == 1) ||
// The mode is a value, the bound is a predicate.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int mode = 0, n = __VERIFIER_nondet_int(), k = 0;
  while (1) {
    if (mode == 0) {
      n = __VERIFIER_nondet_int();
      if (n > 10) {
        mode = 1;
      }
    } else if (mode == 1) {
      if (n <= 10) {
        __VERIFIER_error();
      }
      k = n - 10;
      mode = 2;
    } else {
      if (mode != 2) {
        __VERIFIER_error();
      }
      if (k == 0) {
        __VERIFIER_error();
      }
      mode = 0;
    }
  }
}
