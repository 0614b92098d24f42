// expect: unknown(unwinding bound 3)
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The iterations of an unsigned char that wraps around are not one acceleration. */
int main(void) {
    unsigned char c = 1;
    int n = 0;
    while (c > 0 && n >= 0) {
        c = c * c + 2;
        n = n + c;
    }
    if (n == 12345)
        reach_error();
}
