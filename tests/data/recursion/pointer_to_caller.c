// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The callee writes to the frames below, so its stack must not be abstracted. */
static void add(int n, int *sum) {
    if (n <= 0) return;
    *sum += n;
    add(n - 1, sum);
}

int main(void) {
    int sum = 0;
    add(4, &sum);
    if (sum != 10) reach_error();
    return 0;
}
