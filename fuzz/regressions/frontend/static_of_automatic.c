// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
  void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned char a = __VERIFIER_nondet_int();
 static  unsigned char b = a + 1;
    check(b > a);
    return 0;
}
