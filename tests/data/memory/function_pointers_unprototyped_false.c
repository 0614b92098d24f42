// expect: false
// A function without parameters in its definition is called with an argument: machines ignore it.
extern void reach_error(void);
void *worker() {
  reach_error();
  return 0;
}
void *(*start)(void *);
int main(void) {
  start = worker;
  start(0);
  return 0;
}
