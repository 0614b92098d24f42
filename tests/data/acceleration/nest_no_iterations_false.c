// expect: false
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The inner loop has no iterations at first, and then one more each time: 1 + 2 + ... + 49. */
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0;
    for (int i = 0; i < n; i++)
        for (int j = 50; j < i; j++)
            x++;
    if (n < 1000 && x == 1225)
        reach_error();
}
