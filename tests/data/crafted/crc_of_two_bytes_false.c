// expect: false
// One entry of the table is wrong in a bit.
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, "", 0, ""))
extern unsigned char nondet_uchar(void);

static unsigned by_table(unsigned crc, const unsigned char *data, unsigned size)
{
    static const unsigned table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21d,
    };
    for (unsigned i = 0; i < size; i++) {
        crc = (crc >> 4) ^ table[(crc ^ data[i]) & 15];
        crc = (crc >> 4) ^ table[(crc ^ (data[i] >> 4)) & 15];
    }
    return crc;
}

static unsigned by_bits(unsigned crc, const unsigned char *data, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
    }
    return crc;
}

int main(void)
{
    unsigned char data[2] = {nondet_uchar(), nondet_uchar()};
    assert(by_table(~0u, data, 2) == by_bits(~0u, data, 2));
    return 0;
}
