// expect: true
// args: --loop-abstraction on
extern void reach_error(void);

int main(void) {
    unsigned int x = 0x0ffffff0;
    while (x > 0) {
        x -= 2;
    }
    if (x % 2) reach_error();
    return 0;
}
