// expect: true
// value-predicate: true
// counts: value.left_to_predicates=0 cegar.predicate_refinements>=1
// The counter ends the loop, so that its values are worth following; only predicates know what was received.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int sent = __VERIFIER_nondet_int(), received = sent, round;
  for (round = 0; round < 8; round++) {
    if (__VERIFIER_nondet_int()) {
      sent = __VERIFIER_nondet_int();
      received = sent;
    }
    if (round == 7 && sent != received) __VERIFIER_error();
  }
  return 0;
}
