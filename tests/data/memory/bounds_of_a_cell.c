// expect: true
// args: --config interval --check-proof
// The proof of the interval analysis is about a cell of an array.
extern void reach_error(void);

int main(void) {
    int x[3] = {0, 4};
    while (1) {
        x[1] = (unsigned)(5 + x[1]) % 5;
        if (x[1] == 1) reach_error();
    }
}
