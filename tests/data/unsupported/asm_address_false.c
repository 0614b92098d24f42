// expect: false
// An output may be an address that was computed from an input.
extern void reach_error(void);

int main(void) {
    int x = 0;
    int *p;
    __asm__ ("lea (%1), %0" : "=r"(p) : "r"(&x));
    *p = 7;
    if (x == 7) reach_error();
    return 0;
}
