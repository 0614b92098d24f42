// expect: true
// checks: assertions,float-cast
// What lies between the least integer and the next one below it loses only its fraction.
#include <assert.h>
#include <limits.h>

double input(void);

int main(void)
{
    double d = input();
    if (d > -2147483649.0 && d < -2147483648.0) {
        int i = d;
        assert(i == INT_MIN);
    }
    return 0;
}
