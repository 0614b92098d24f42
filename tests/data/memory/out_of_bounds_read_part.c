// expect: true
// The part of a read that lies in the object is known.
extern void reach_error(void);
int main(void) {
  char t = 50;
  void *p = &t;
  unsigned *wide = p;
  if ((char)*wide != 50)
    reach_error();
  return 0;
}
