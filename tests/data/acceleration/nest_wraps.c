// expect: unknown(unwinding bound)
// args: --config bmc-trace-automata
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* For m above 252, j wraps around and the inner loop never ends; it does not end after 64 iterations. */
int main(void) {
    unsigned char m = __VERIFIER_nondet_uchar();
    unsigned x = 0;
    for (int i = 0; i < 300; i++)
        for (unsigned char j = 0; j < m; j += 4)
            x++;
    if (x == 300 * 64)
        reach_error();
}
