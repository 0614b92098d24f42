// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int m[3][4];
int main(void) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 3 && j >= 0 && j < 4);
    m[i][j] = 7;
    int *flat = &m[0][0], n = 0;
    for (int k = 0; k < 12; k++) n += flat[k] == 7;
    check(n == 1 && flat[i * 4 + j] == 7 && &m[i] - &m[0] == i && sizeof m[0] == 16);
    return 0;
}
