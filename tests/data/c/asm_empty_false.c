// expect: false
// Without instructions, an output that is no input has any value.
extern void reach_error(void);

int main(void) {
    unsigned x = 1, y = 2;
    __asm__ ("" : "=r"(x) : "r"(y));
    if (x == 77) reach_error();
    return 0;
}
