// expect: true
// Memory that the text is not given stays as it is.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int here = 1, there = 2;
    __asm__ volatile ("mfence" : : : "memory");
    check(here == 1);
    __asm__ volatile ("movl $7,(%0)" : : "r"(&here) : "memory");
    check(there == 2);
    return 0;
}
