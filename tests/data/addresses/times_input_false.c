// expect: false
// value: false
// A number that equals an address is one, whatever it was made of.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int x;

int main(void) {
  unsigned long u = __VERIFIER_nondet_uchar() * (unsigned long)&x;
  if (u != (unsigned long)&x) return 0;
  int *q = (int *)u;
  *q = 1;
  if (x == 1) reach_error();
  return 0;
}
