// expect: true
// checks: memory
#include <netdb.h>
#include <pwd.h>
#include <time.h>

int main(void)
{
    int months[12] = {0}, days[7] = {0};
    time_t now = 0;
    struct tm copy, *local = localtime(&now);
    if (local)
        copy = *local;
    else if (!gmtime_r(&now, &copy))
        return 1;
    months[copy.tm_mon]++;
    days[copy.tm_wday]++;
    struct passwd *user = getpwnam("root");
    struct hostent *host = gethostbyname("localhost");
    if (host && host->h_aliases[0] && host->h_aliases[1])
        months[1] += host->h_aliases[1][0];
    return user ? user->pw_name[0] : 0;
}
