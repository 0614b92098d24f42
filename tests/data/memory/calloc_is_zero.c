// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *calloc(unsigned long, unsigned long);
struct s { int a; char *p; unsigned char b[3]; };
int main(void) {
    struct s *s = calloc(3, sizeof *s);
    if (!s) return 0;
    check(s[2].a == 0 && !s[1].p && s[2].b[2] == 0);
    s[1].a = 4;
    check(s[0].a == 0 && s[2].a == 0);
    return 0;
}
