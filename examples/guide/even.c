/* A hundred million iterations that need not be run.   hone check --loop-abstraction on examples/guide/even.c */
extern void reach_error(void);

int main(void) {
    unsigned x = 0x0ffffff0;
    while (x > 0)
        x -= 2;
    if (x % 2 != 0)
        reach_error();
    return 0;
}
