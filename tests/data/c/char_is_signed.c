// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    char c = '\xff';
    check(c == -1 && c < 0);
    check((unsigned char)c == 255);
    return 0;
}
