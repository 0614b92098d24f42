// expect: false
// k-induction: false
// Bounds hold for integers, but not for characters that wrap around.
void reach_error(void);

int main(void) {
    unsigned char c = 0;
    signed char s = 0;
    while (1) {
        c += 16;
        s = (signed char)(s + 16);
        if (s < 0 && c == 128)
            reach_error();
    }
    return 0;
}
