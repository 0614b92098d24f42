// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct s { int a, b[3], c; };
int main(void) {
    struct s s = {.b = {1, 2, 3}, .b[1] = 9, 4, .a = 6};
    check(s.a == 6 && s.b[1] == 9 && s.b[2] == 4 && s.c == 0);
    int a[] = {[3] = 1, 2, [0] = 7, 8};
    check(sizeof a == 20 && a[1] == 8 && a[2] == 0 && a[4] == 2);
    struct s t[2] = {[1].b[2] = 5};
    check(t[1].b[2] == 5 && t[0].a == 0 && t[1].a == 0);
    union { char c; int i; } u = {.i = 0x12345};
    check(u.c == 0x45);
    return 0;
}
