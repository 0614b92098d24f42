// expect: false
// args: --config bmc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The violation needs a deep recursion, and a sum that wraps around.
static int add(int m, int n) {
    if (n == 0) return m;
    if (n > 0) return add(m + 1, n - 1);
    return add(m - 1, n + 1);
}

int main(void) {
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    int result = add(m, n);
    if (m >= 60 && n >= 60 && result < 120) reach_error();
    return 0;
}
