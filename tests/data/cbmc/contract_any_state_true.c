// expect: true
// environment: --entry count --check-contract count
// checks: overflow,assertions
// A contract holds whatever the program has done before; constants stay what they are.
#include <limits.h>
static int counted;
static const int step = 1;
int count(void)
    __CPROVER_requires(counted < INT_MAX)
    __CPROVER_assigns(counted)
    __CPROVER_ensures(counted == __CPROVER_old(counted) + 1)
{
    counted += step;
    return counted;
}
