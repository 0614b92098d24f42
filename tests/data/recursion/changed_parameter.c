// expect: true
// args: --config predicate
// predicate: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The parameter has another value at the exit than at the entry. */
static int down(int n) {
    int result = n;
    if (n > 10) {
        n = n - 1;
        result = down(n);
    }
    n = 99;
    return result;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int result = down(n);
    if (result > 10 || (n <= 10 && result != n)) reach_error();
    return 0;
}
