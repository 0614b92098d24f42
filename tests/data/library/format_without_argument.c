// expect: unknown(conversion without an argument)
// checks: assertions,memory
#include <stdio.h>

int main(void) {
    char format[] = "%d%%\n";
    printf(format, 5);
    printf("%s\n");
    return 0;
}
