// expect: false
#define _GNU_SOURCE
#include <ifaddrs.h>
extern void __VERIFIER_error(void);

int main(void)
{
    struct ifaddrs *first = 0;
    if (getifaddrs(&first) == 0 && first)
        __VERIFIER_error();
    return 0;
}
