// expect: false
#include <stdlib.h>

extern void reach_error(void);

static int open_files = 1;

static void check(void)
{
    if (open_files)
        reach_error();
}

static void stop(int status)
{
    exit(status);
}

int main(void)
{
    atexit(check);
    stop(1);
    open_files = 0;
    return 0;
}
