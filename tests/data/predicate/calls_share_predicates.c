// expect: true
// What the loop needs is found in one call and holds in the others.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int count(int start) {
  int up = start, down = start;
  while (__VERIFIER_nondet_int()) {
    up++;
    down++;
  }
  if (up != down)
    reach_error();
  return down;
}
int main(void) {
  int a = count(3);
  int b = count(a);
  return count(a + b) == count(b);
}
