// expect: true
#include <stdbool.h>
extern bool read_pin(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = read_pin();
    int m = read_pin() + read_pin();
    check((n == 0 || n == 1) && m <= 2);
    return 0;
}
