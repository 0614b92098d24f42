// expect: false
// value: false
// predicate: false
// The bytes of a pointer are copied as a floating-point number.
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);

int x;

int main(void) {
  double d;
  int *p = &x;
  memcpy(&d, &p, 8);
  double e = d;
  int *q;
  memcpy(&q, &e, 8);
  *q = 1;
  if (x == 1) reach_error();
  return 0;
}
