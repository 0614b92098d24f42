// expect: false
// k-induction: false
// What is known of an address by branches only is enough to make it again.
extern void reach_error(void);

int x;

int main(void) {
  unsigned long u = 0;
  unsigned long w = (unsigned long)&x;
  for (int i = 0; i < 64; i++)
    if ((w >> i) & 1) u |= 1UL << i;
  int *q = (int *)u;
  *q = 1;
  if (x == 1) reach_error();
  return 0;
}
