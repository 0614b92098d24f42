// expect: true
// environment: --endianness big
// Strings of wide characters, network byte order, and floats in functions of the library.
#include <assert.h>
#include <arpa/inet.h>
#include <endian.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern uint32_t __VERIFIER_nondet_uint(void);

int main(void) {
    const wchar_t *text = L"ab";
    assert(sizeof(wchar_t) == 4 && text[0] == 'a' && text[2] == 0);
    assert(((const unsigned char *)text)[3] == 'a' && ((const unsigned char *)text)[0] == 0);
    uint32_t n = __VERIFIER_nondet_uint();
    assert(htonl(n) == n && ntohs(0x1234) == 0x1234 && be32toh(n) == n && htole16(0x0102) == 0x0201);
    assert(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && __BYTE_ORDER == __BIG_ENDIAN);
    assert(copysign(2.0, -1.0) == -2.0);
    int exponent;
    assert(frexp(8.0, &exponent) == 0.5 && exponent == 4);
    char out[16];
    snprintf(out, sizeof out, "%d:%s", 1234567, "x");
    assert(strcmp(out, "1234567:x") == 0);
    return 0;
}
