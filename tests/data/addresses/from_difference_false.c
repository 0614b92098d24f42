// expect: false
// value: false
// predicate: false
// k-induction: false
// The difference of two addresses leads from one object to the other. Only integers are added and subtracted.
extern void reach_error(void);

int x, y;

int main(void) {
  unsigned long d = (unsigned long)&y - (unsigned long)&x;
  int *p = (int *)((unsigned long)&x + d);
  *p = 1;
  if (y == 1) reach_error();
  return 0;
}
