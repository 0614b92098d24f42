// expect: true
// Flags and the next state are told apart for each state, not multiplied with one another.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int state = 8464, next = 0, seen = 0, hit = 0, retry = 0;
  while (1) {
    if (state == 8464) {
      next = __VERIFIER_nondet_int() ? 8480 : 8496;
      seen = 1;
      state = 8512;
    } else if (state == 8480) {
      if (seen != 2)
        reach_error();
      state = 8528;
    } else if (state == 8496) {
      hit = __VERIFIER_nondet_int() != 0;
      state = 8528;
    } else if (state == 8512) {
      if (seen == 1)
        seen = 2;
      retry = hit;
      state = next;
    } else if (state == 8528) {
      if (seen < 2)
        reach_error();
      if (retry)
        return 0;
      state = 8512;
      next = 8496;
    } else {
      reach_error();
    }
  }
}
