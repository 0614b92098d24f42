// expect: false
// checks: memory
// harness: what is read lies in registers, or on the stack, where a sanitizer sees no object
// The list has one argument less than are read.
#include <stdarg.h>

static unsigned sum(int n, ...) {
    va_list list;
    va_start(list, n);
    unsigned all = 0;
    for (int i = 0; i < n; i++)
        all += va_arg(list, unsigned);
    va_end(list);
    return all;
}

int main(void) {
    return sum(2, 1u, 2u) == 3 ? (int)sum(3, 1u, 2u) : 0;
}
