// expect: false
// args: --config bmc-trace-automata
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* As far as it does not wrap around, the inner loop takes its step of 4 up to 63 times. */
int main(void) {
    unsigned char m = __VERIFIER_nondet_uchar();
    unsigned x = 0;
    for (int i = 0; i < 300; i++)
        for (unsigned char j = 0; j < m; j += 4)
            x++;
    if (x == 300 * 63)
        reach_error();
}
