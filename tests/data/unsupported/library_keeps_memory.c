// expect: unknown(unsupported: library function)
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    static char buffer[64];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    puts("x");
    if (buffer[0] == 'x') reach_error();
    return 0;
}
