#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int scores[4];

int main(void) {
  int player = __VERIFIER_nondet_int();
  int points = __VERIFIER_nondet_int();
  if (points < 0 || points > 100)
    return 1;
  scores[player] += points;
  scores[0] = scores[0] + points;
  int average = (scores[0] + scores[1]) / points;
  assert(average <= 200);
  if (points > 200)
    assert(points != 300);
  return 0;
}
