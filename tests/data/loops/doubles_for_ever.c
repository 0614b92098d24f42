// expect: true
// args: --config bmc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* When it overflows, the number becomes zero and stays zero. */
int main(void) {
    int z = 1, k = __VERIFIER_nondet_int();
    while (z < k)
        z = 2 * z;
    if (z < 1)
        reach_error();
}
