// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int g;
int a[3];
struct { int x; char *p; } s;
int main(void) {
    check(g == 0 && a[2] == 0 && s.x == 0 && s.p == 0);
    return 0;
}
