// expect: false
// value: false
// predicate: false
// An offset to another global, stored in few bits, leads there.
extern void reach_error(void);

static int data;
static int off;

static int *target(int *o) { return (int *)((unsigned long)o + (long)*o); }

int main(void) {
  off = (int)((long)&data - (long)&off);
  *target(&off) = 5;
  if (data == 5) reach_error();
  return 0;
}
