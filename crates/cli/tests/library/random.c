// Random numbers that a seed determines.
#include <stdio.h>
#include <stdlib.h>

static void all(unsigned short seed[3])
{
    for (int i = 0; i < 4; i++) {
        printf("%ld", lrand48());
        printf(" %ld", mrand48());
        printf(" %a", drand48());
        printf(" %ld", nrand48(seed));
        printf(" %ld", jrand48(seed));
        printf(" %a", erand48(seed));
        printf(" %d %d %d\n", seed[0], seed[1], seed[2]);
    }
}

int main(void)
{
    unsigned short seed[3] = {1, 2, 3}, numbers[7] = {9, 8, 7, 0xffff, 0x8000, 5, 65535};
    for (unsigned start = 0; start < 2000000000; start += 100000007) {
        unsigned state = start;
        int a = rand_r(&state), b = rand_r(&state);
        printf("%d %d %u\n", a, b, state);
    }
    all(seed);
    for (long start = -70000; start < 70000; start += 13999) {
        srand48(start);
        all(seed);
    }
    unsigned short *last = seed48(seed);
    printf("%d %d %d\n", last[0], last[1], last[2]);
    all(seed);
    lcong48(numbers);
    all(seed);
    srand48(1L << 20);
    all(seed);
    return 0;
}
