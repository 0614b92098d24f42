// expect: false
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[4] = {10, 200, 500000, 7}, i = 0;
    unsigned k = __VERIFIER_nondet_uint();
    while (i < a[k % 4])
        i++;
    check(i != 500000);
}
