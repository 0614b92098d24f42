// expect: true
// environment: --endianness big
// Bit-fields begin with the most significant bit, as with GCC on big-endian machines.
#include <assert.h>
#include <stdint.h>
#include <string.h>

struct header { unsigned version : 4; unsigned length : 4; unsigned service : 8; unsigned total : 16; };
struct across { unsigned a : 5; unsigned b : 20; unsigned c : 7; };
struct __attribute__((packed)) packed { unsigned char a : 3; unsigned b : 22; unsigned char c : 7; };

struct header global = {4, 5, 0x12, 0xabcd};
struct packed initial = {5, 0x2abcde, 0x55};

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char raw[4];
    memcpy(raw, &global, 4);
    assert(sizeof global == 4 && raw[0] == 0x45 && raw[1] == 0x12 && raw[2] == 0xab && raw[3] == 0xcd);
    memcpy(raw, &initial, 4);
    uint32_t bits = 5u << 29 | 0x2abcdeu << 7 | 0x55;
    assert(sizeof initial == 4 && raw[0] == bits >> 24 && raw[3] == (bits & 0xff) && raw[1] == (bits >> 16 & 0xff));
    struct across x;
    unsigned n = __VERIFIER_nondet_uint();
    memcpy(&x, &n, 4);
    assert(x.a == n >> 27 && x.b == (n >> 7 & 0xfffff) && x.c == (n & 127));
    x.b = 0x12345;
    memcpy(&n, &x, 4);
    assert((n >> 7 & 0xfffff) == 0x12345 && n >> 27 == x.a);
    struct { int s : 3; unsigned rest : 29; } y = {0, 0};
    y.s = -2;
    assert(y.s == -2 && *(unsigned char *)&y == 0xc0);
    return 0;
}
