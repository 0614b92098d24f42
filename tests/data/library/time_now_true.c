// expect: true
// checks: assertions,overflow
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t now, again = time(&now);
    assert(now == again);
    struct tm *tm = localtime(&now);
    int year = tm ? tm->tm_year + 1900 : 0;
    struct timespec clock;
    if (clock_gettime(CLOCK_MONOTONIC, &clock) == 0)
        now = clock.tv_sec * 1000 + clock.tv_nsec / 1000000;
    return year > now;
}
