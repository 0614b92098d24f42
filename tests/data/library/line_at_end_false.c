// expect: false
// checks: leak
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

static int count(void)
{
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, stdin) == -1)
        return -1;
    free(line);
    return 0;
}

int main(void)
{
    return count();
}
