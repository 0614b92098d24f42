// expect: true
// value-predicate: unknown(no progress)
// environment: --endianness big
// A byte at an index that is not known, of an array of wider elements; and back.
#include <assert.h>
#include <stdint.h>

extern unsigned __VERIFIER_nondet_uint(void);

uint32_t words[64];

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 64, n = __VERIFIER_nondet_uint();
    words[i] = n;
    unsigned char *bytes = (unsigned char *)words;
    assert(bytes[4 * i] == n >> 24);
    assert(bytes[4 * i + 3] == (n & 0xff));
    bytes[4 * i + 1] = 0xab;
    assert(words[i] == ((n & 0xff00ffff) | 0xab0000));
    return 0;
}
