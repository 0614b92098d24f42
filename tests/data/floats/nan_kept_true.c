// expect: true
// Bytes that could be a NaN, and are none, are left alone by a store behind them; so is a NaN that goes through copies.
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct pair {
    float x, y;
};

static struct pair swapped(struct pair of)
{
    struct pair to;
    to.x = of.y;
    to.y = of.x;
    return to;
}

int main(void)
{
    union {
        char bytes[12];
        float values[3];
    } v;
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 2)
        return 0;
    v.bytes[0] = 'x';
    v.values[n] = 1.5f;
    assert(v.bytes[0] == 'x');

    unsigned in = __VERIFIER_nondet_uint(), out;
    struct pair pair = {0, 0};
    memcpy(&pair.x, &in, sizeof in);
    for (int i = 0; i < 3; i++)
        pair = swapped(pair);
    memcpy(&out, &pair.y, sizeof out);
    assert(out == in);
    return 0;
}
