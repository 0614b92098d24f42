// expect: false
// checks: leak
// harness: the process ends in a function that the harness has to make up, before leaks are looked for
// The run ends in `stop`, where the block is lost.
#include <stdlib.h>

extern void stop(void) __attribute__((noreturn));

int main(void)
{
    char *block = malloc(3);
    block = 0;
    stop();
}
