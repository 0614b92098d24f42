// expect: false
// Comparisons of a number with an address, and a union.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int x, y;

int main(void) {
  union { unsigned long number; int *pointer; } u;
  u.number = (unsigned long)&y + 4ul * __VERIFIER_nondet_uchar();
  if (u.number > (unsigned long)&y) return 0;
  *u.pointer = 1;
  if (y == 1) reach_error();
  return 0;
}
