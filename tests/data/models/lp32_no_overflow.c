// expect: true
// data-model: LP32
// checks: overflow,shift
// Types of 16 bits without a sign wrap around, and wider ones have room.
#include <stdint.h>

extern uint16_t __VERIFIER_nondet_ushort(void);

int main(void) {
    uint16_t x = __VERIFIER_nondet_ushort();
    uint16_t square = x * x;
    long sum = 30000L + 30000;
    unsigned char c = (unsigned char)x;
    int twice = c + c;
    c++;
    return square == sum || 1 << (twice & 14) > c;
}
