// expect: false
// checks: memory+fields,memory
#define _XOPEN_SOURCE 700
#include <time.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void)
{
    struct tm tm = {.tm_mon = -1};
    if (!strptime("2020", "%Y", &tm))
        return 1;
    return days[tm.tm_mon];
}
