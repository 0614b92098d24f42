// expect: true
// predicate: true
// value-predicate: true
// Interpolants only exclude one number after the other; both variables are odd.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
  int x = 1, y = 1;
  while (1) {
    x = x + 2 * __VERIFIER_nondet_int();
    y = y + 2 * __VERIFIER_nondet_int();
    if (x + y == 1) {
      __VERIFIER_error();
    }
  }
}
