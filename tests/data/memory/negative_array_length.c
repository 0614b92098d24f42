// expect: unknown(invalid size)
// data-model: ILP32
// args: --config bmc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0)
        return 0;
    char a[n];
    a[0] = 1;
    if (a[0] != 1)
        reach_error();
}
