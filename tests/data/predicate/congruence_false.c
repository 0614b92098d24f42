// expect: false
// predicate: false
// value-predicate: false
// One variable is odd and one is even, so their sum may be odd.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int x = 1, y = 4;
  while (1) {
    x = x + 2 * __VERIFIER_nondet_int();
    y = y + 4 * __VERIFIER_nondet_int();
    if (x + y == 1) {
      __VERIFIER_error();
    }
  }
}
