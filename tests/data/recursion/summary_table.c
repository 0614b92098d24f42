// expect: true
// predicate: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// What it returns is a table of all arguments: no sum or product describes it.
static int padovan(int n) {
    if (n <= 2) return 1;
    return padovan(n - 2) + padovan(n - 3);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40) return 0;
    int result = padovan(n);
    if (result < 1 || result < n - 12) reach_error();
    return 0;
}
