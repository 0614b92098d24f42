// expect: false
// environment: --replace abs=seven
// Also functions of the library are replaced.
#include <assert.h>
#include <stdlib.h>
int seven(int number) { return 7; }
int main(void)
{
    assert(abs(-3) == 3);
    return 0;
}
