// expect: false
// Values of a script language in the payload of NaNs.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

static double stack[2];

int main(void)
{
    unsigned long long box = 0xfff8000000000007u, read;
    unsigned n = __VERIFIER_nondet_uint() & 1;
    memcpy(&stack[0], &box, 8);
    memcpy(&stack[1], &box, 8);
    stack[n] = 2.5;
    memcpy(&read, &stack[1 - n], 8);
    assert((unsigned)read != 7);
    return 0;
}
