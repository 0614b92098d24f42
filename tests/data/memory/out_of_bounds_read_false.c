// expect: false
// What lies behind an object is unknown, but a machine reads it and goes on.
extern void reach_error(void);
int main(void) {
  char t = 50;
  void *p = &t;
  unsigned *wide = p;
  if (*wide != 50)
    reach_error();
  return 0;
}
