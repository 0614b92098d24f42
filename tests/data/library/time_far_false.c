// expect: false
#include <time.h>
extern void __VERIFIER_error(void);

int main(void)
{
    struct tm tm = {.tm_mon = 99};
    time_t far = 1L << 60;
    gmtime_r(&far, &tm);
    if (tm.tm_mon > 11)
        __VERIFIER_error();
    return 0;
}
