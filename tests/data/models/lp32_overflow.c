// expect: false
// data-model: LP32
// checks: overflow
// A sum that fits into 32 bits, and not into 16.

int main(void) {
    int a = 30000, b = 30000;
    return a + b > 0;
}
