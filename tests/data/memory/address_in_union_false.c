// expect: false
// Numbers that are compared with an address, and a union, tell addresses, too.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int x, y;

int main(void) {
  union { unsigned long number; int *pointer; } u;
  u.number = __VERIFIER_nondet_ulong() * 4;
  if (u.number < (unsigned long)&y) return 0;
  if (u.number > (unsigned long)&y) return 0;
  *u.pointer = 1;
  if (y == 1) reach_error();
  return 0;
}
