// expect: unknown(access out of bounds)
// value: unknown(access out of bounds)
// predicate: unknown(access out of bounds)
// k-induction: unknown(access out of bounds)
// As in `unread_write_past_end.c`, in a frame.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int guard = 7;
  int a[4] = {0};
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 7) return 0;
  *(a + i) = 1;
  if (guard != 7) reach_error();
  return 0;
}
