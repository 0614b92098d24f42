// expect: true
// value-predicate: true
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

struct device { int state, low, high; };
static struct device d;

int main(void) {
  d.state = 1;
  d.low = __VERIFIER_nondet_int();
  d.high = __VERIFIER_nondet_int();
  if (d.low >= d.high) {
    return 0;
  }
  while (__VERIFIER_nondet_int()) {
    if (d.state == 1) {
      d.state = 2;
    } else if (d.state == 2) {
      d.state = 1;
    } else {
      __VERIFIER_error();
    }
    if (d.low == d.high) {
      __VERIFIER_error();
    }
  }
  return 0;
}
