// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
struct s { int a; char b[4]; };
int main(void) {
    struct s x = {1, "abc"}, y;
    memcpy(&y, &x, sizeof x);
    check(y.a == 1 && y.b[2] == 'c');
    memset(&y, 0xff, sizeof y);
    check(y.a == -1 && y.b[0] == -1);
    return 0;
}
