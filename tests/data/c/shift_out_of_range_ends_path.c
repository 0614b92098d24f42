// expect: true
// A shift by the width or more is undefined: the run ends there, with a note.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int x = 1 << n;
  if (n < 0 || n > 31)
    reach_error();
  return x;
}
