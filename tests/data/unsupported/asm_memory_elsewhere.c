// expect: true
// Memory that the text is not given stays as it is.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int here = 1;
    int *p = &here;
    __asm__ volatile ("mfence" : : : "memory");
    check(here == 1 && p == &here);
    return 0;
}
