// expect: unknown(conversion without an argument)
// checks: assertions,memory
#include <stdio.h>

int main(void) {
    char format[] = "%s\n";
    printf(format);
    return 0;
}
