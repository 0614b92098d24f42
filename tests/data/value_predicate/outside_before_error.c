// expect: unknown(access out of bounds)
// args: --unwind 2
// value-predicate: unknown(access out of bounds)
// Predicates are silent on runs that write outside of an array, so they must not exclude them.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int a[4];
  int i = __VERIFIER_nondet_int(), j;
  while (__VERIFIER_nondet_int()) {
    j = i;
    a[j] = 1;
    if (i > 10) {
      __VERIFIER_error();
    }
  }
  return 0;
}
