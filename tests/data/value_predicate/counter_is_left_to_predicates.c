// expect: true
// value-predicate: true
// counts: value.left_to_predicates=1 cegar.predicate_refinements>=1
// A variable with very many values leaves the value precision.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int i = 0, mode = 1;
  while (i < 1000000) {
    if (mode != 1) {
      __VERIFIER_error();
    }
    i = i + 1;
  }
  if (i < 1000000) {
    __VERIFIER_error();
  }
  return 0;
}
