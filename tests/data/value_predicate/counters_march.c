// expect: true
// value-predicate: true
// counts: value.left_to_predicates>=1 cegar.predicate_refinements>=1
// No value ends the loop, and with the values of its counters predicates refute one round after the other.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int wanted = __VERIFIER_nondet_int(), paid = 0, round;
  for (round = 1; round <= wanted; round++) {
    paid = paid + 2;
  }
  if (paid != wanted * 2 && paid != 0) __VERIFIER_error();
  return 0;
}
