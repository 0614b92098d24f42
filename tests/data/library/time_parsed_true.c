// expect: true
// witness: the length of an argument of `main` has no bound, and invariants over all of its characters take quantifiers.
// checks: memory,overflow
#define _XOPEN_SOURCE 700
#include <time.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(int argc, char **argv)
{
    struct tm tm = {0};
    if (argc < 2 || !strptime(argv[1], "%Y-%m-%d", &tm))
        return 1;
    return days[tm.tm_mon] - tm.tm_mday;
}
