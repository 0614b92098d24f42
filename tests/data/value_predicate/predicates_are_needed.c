// expect: true
// value-predicate: true
// counts: cegar.predicate_refinements>=1
// invariant: value-predicate proved with the invariant `x != y` at line 13
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x >= y) {
    return 0;
  }
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      y = __VERIFIER_nondet_int();
      if (y <= x) {
        return 0;
      }
    }
  }
  if (x == y) {
    __VERIFIER_error();
  }
  return 0;
}
