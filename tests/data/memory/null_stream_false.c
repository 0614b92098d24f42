// expect: false
// checks: memory
#include <stdio.h>

int main(void) {
    char line[10];
    FILE *file = fopen("a", "r");
    fflush(NULL);
    fgets(line, sizeof line, file);
    return 0;
}
