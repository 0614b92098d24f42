// expect: false
// value: false
// predicate: false
// An input that equals an address is one.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int x;

int main(void) {
  unsigned long u = __VERIFIER_nondet_ulong();
  if (u != (unsigned long)&x) return 0;
  int *q = (int *)u;
  *q = 1;
  if (x == 1) reach_error();
  return 0;
}
