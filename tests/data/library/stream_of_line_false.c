// expect: false
// checks: memory
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen("/etc/names", "r");
    getline(&line, &room, file);
    free(line);
    if (file)
        fclose(file);
    return 0;
}
