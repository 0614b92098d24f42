// expect: false
// environment: --replace abs=seven --volatile inputs
// Also functions of the library are replaced.
#include <assert.h>
#include <stdlib.h>
volatile int distance;
int seven(int number) { return 7; }
int main(void)
{
    int given = distance;
    assert(abs(given) != 7);
    return 0;
}
