// expect: true
// value-predicate: true
// counts: cegar.predicate_refinements=0 predicate.blocks=0 cegar.value_refinements>=1
// invariant: value-predicate proved with the invariant `lock == 0` at line 10
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int lock = 0, other = 0;
  while (__VERIFIER_nondet_int()) {
    if (lock != 0) {
      __VERIFIER_error();
    }
    lock = 1;
    other = __VERIFIER_nondet_int();
    if (other > 3) {
      other = 3;
    }
    lock = 0;
  }
  return other;
}
