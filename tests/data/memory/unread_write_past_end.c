// expect: unknown(access out of bounds)
// value: unknown(access out of bounds)
// predicate: unknown(access out of bounds)
// k-induction: unknown(access out of bounds)
// impact: unknown(access out of bounds)
// interval: unknown(interval domain too coarse)
// Nobody reads the array, but a machine changes its neighbour.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int a[4] = {1};
int guard = 7;

int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 4) return 0;
  a[i] = 1;
  if (guard != 7) reach_error();
  return 0;
}
