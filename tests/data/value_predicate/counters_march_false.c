// expect: false
// value-predicate: false
// The counters that are left to predicates are wrong from the ninth round on.
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void);

int main(void) {
  unsigned rounds = __VERIFIER_nondet_uint();
  unsigned paid = 0, due = 0, round;
  for (round = 0; round < rounds; round++) {
    paid += 3;
    due += round < 8 ? 3 : 4;
  }
  if (rounds > 0 && paid != due) __VERIFIER_error();
  return 0;
}
