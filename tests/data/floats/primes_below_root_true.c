// expect: true
// The root of each number is known, so loops up to it end as they do in a run.
#include <assert.h>
#include <math.h>

static int is_prime(int n)
{
    for (int d = 2; d <= sqrt(n); d++)
        if (n % d == 0)
            return 0;
    return n > 1;
}

int main(void)
{
    int primes = 0;
    for (int n = 0; n < 20; n++)
        primes += is_prime(n);
    assert(primes == 8);
    float side = 2;
    for (int i = 0; i < 3; i++)
        side = sqrtf(side * 8);
    assert(side > 6 && side < 8);
    return 0;
}
