// expect: true
// value-predicate: true
// counts: cegar.predicate_refinements>=1
// Branches between two loop heads meet again in one state.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  unsigned s = 0, mode = 0;
  if (x >= y) {
    return 0;
  }
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (__VERIFIER_nondet_int()) { s = s + x; } else { s = s ^ y; }
    if (mode > 1) {
      __VERIFIER_error();
    }
    mode = 1 - mode;
  }
  if (x == y) {
    __VERIFIER_error();
  }
  return s;
}
