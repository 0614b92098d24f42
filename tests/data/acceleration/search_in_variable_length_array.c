// expect: true
// data-model: ILP32
// args: --config bmc-trace-automata
// witness: what a search has seen takes a quantifier over the elements of the array
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned search(int *a, unsigned n, int key) {
    unsigned i = 0;
    while (i < n && a[i] != key)
        i++;
    return i;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() / 8 + 1;
    int a[n];
    a[n / 2] = 3;
    if (search(a, n, 3) >= n)
        reach_error();
}
