// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned a[4], n = __VERIFIER_nondet_uint(), i = 0;
    a[0] = a[1] = a[2] = a[3] = n;
    while (i != a[n % 4])
        i++;
    check(i == n);
}
