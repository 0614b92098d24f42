// expect: true
// value: true
// predicate: true
// interval: true
// k-induction: true
// Arrays that nobody reads are written in bounds, as constants, counted loops and conditions show.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int a[1000], matrix[10][20];
struct record { int key; char name[8]; } records[3];
int guard = 7;

static void set(unsigned char i) { records[i % 3].name[i & 7] = 1; }

int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i;
  for (int i = 9; i >= 0; i--)
    for (unsigned j = 0; j < 20; j++) matrix[i][j] = i;
  unsigned i = __VERIFIER_nondet_uint();
  set(i);
  if (i < 1000) a[i] = 1;
  if (guard != 7) reach_error();
  return 0;
}
