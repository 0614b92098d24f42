// expect: true
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x = 0, n = 0, r = scanf("%d%n", &x, &n);
    assert(r <= 1);
    return 0;
}
