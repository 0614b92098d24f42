// expect: true
// environment: --endianness big
// Bytes of numbers, seen through pointers, unions, memcpy and memset.
#include <assert.h>
#include <stdint.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

uint32_t global = 0x01020304;
uint16_t table[2] = {0x0a0b, 0x0c0d};
union { uint32_t whole; uint16_t halves[2]; unsigned char bytes[4]; } u;

int main(void) {
    unsigned char *p = (unsigned char *)&global;
    assert(p[0] == 1 && p[1] == 2 && p[2] == 3 && p[3] == 4);
    assert(*(uint16_t *)(p + 2) == 0x0304);
    unsigned char raw[4];
    memcpy(raw, table, 4);
    assert(raw[0] == 0x0a && raw[1] == 0x0b && raw[2] == 0x0c && raw[3] == 0x0d);
    unsigned n = __VERIFIER_nondet_uint();
    u.whole = n;
    assert(u.halves[0] == n >> 16 && u.halves[1] == (n & 0xffff));
    assert(u.bytes[0] == n >> 24 && u.bytes[3] == (n & 0xff));
    u.bytes[3] = 7;
    assert(u.whole == (n & 0xffffff00) + 7);
    u.halves[0] = 0x1234;
    assert(u.whole >> 16 == 0x1234);
    uint64_t wide = 0x1122334455667788;
    uint32_t high;
    memcpy(&high, &wide, sizeof high);
    assert(high == 0x11223344);
    memset((char *)&wide + 7, 0, 1);
    assert(wide == 0x1122334455667700);
    double one = 1.0;
    assert(*(unsigned char *)&one == 0x3f);
    return 0;
}
