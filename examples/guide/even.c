/* A hundred million iterations that need not be run.   hone check --loop-abstraction on examples/guide/even.c */
extern void reach_error(void);

int main(void) {
    unsigned x = 0, steps = 0;
    while (x < 0x0ffffff0) {
        x += 2;
        steps++;
    }
    if (x % 2 != 0 || steps != 0x07fffff8)
        reach_error();
    return 0;
}
