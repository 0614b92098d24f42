// expect: false
// checks: memory
#include <time.h>

int main(void)
{
    int days[365] = {0};
    time_t now = 0;
    struct tm *local = localtime(&now);
    if (local)
        days[local->tm_yday]++;
    return 0;
}
