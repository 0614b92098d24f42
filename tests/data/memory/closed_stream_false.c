// expect: false
// checks: memory,free
#include <stdio.h>

int main(void) {
    char line[10];
    FILE *file = fopen("a", "r");
    if (file) {
        fgets(line, sizeof line, file);
        fclose(file);
        fgets(line, sizeof line, file);
    }
    return 0;
}
