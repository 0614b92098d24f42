// expect: unknown(access out of bounds)
// Whatever a write out of bounds changes, nothing is known behind it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int guard = 0;
  int a[4] = {0};
  int i = __VERIFIER_nondet_int();
  int *p = &guard;
  a[i] = 1;
  if (a[0] > 1 || *p)
    reach_error();
  return 0;
}
