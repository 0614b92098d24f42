int printf(const char *, ...);
static int failures;
static void check(int id, long long got, long long expected)
{
    if (got != expected) {
        printf("%d: %lld, not %lld\n", id, got, expected);
        failures++;
    }
}

static int calls;
static int next(void) { return ++calls; }
static int id(int x) { return x; }
static int zero(void) { calls++; return 0; }
int global = 5;
static int change(void) { global = 100; return 1; }

static void promotions(void)
{
    unsigned char uc = 200;
    signed char sc = -1;
    char c = (char)200;
    short s = -3;
    unsigned short us = 65535;
    unsigned int u = 1;
    check(1, uc + uc, 400);
    check(2, (unsigned char)(uc + uc), 144);
    check(3, sc < u, 0);
    check(4, c, -56);
    check(5, us + 1, 65536);
    check(6, ~uc, -201);
    check(7, -u > 0, 1);
    check(8, s * us, -196605);
    check(9, sc >> 1, -1);
    check(10, (unsigned)sc >> 28, 15);
    check(11, uc << 4, 3200);
    uc += 100;
    check(12, uc, 44);
    s -= 40000;
    check(13, s, 25533);
    check(14, -7 / 2, -3);
    check(15, -7 % 2, -1);
    check(16, (unsigned)-7 / 2, 2147483644);
    check(17, 1 ? -1 : 0u, 4294967295LL);
    check(18, sizeof(uc + uc), 4);
    check(19, (_Bool)0.5 + (_Bool)256, 2);
    long long big = 1LL << 40;
    check(20, (int)big, 0);
    check(21, big >> 38, 4);
    check(22, 2147483647 + id(1) < 0, 1);
    sc = 127;
    sc++;
    check(23, sc, -128);
    _Bool b = 7;
    check(24, b, 1);
    b++;
    check(25, b, 1);
    b--;
    check(26, b, 0);
    b--;
    check(27, b, 1);
    b += 5;
    check(28, b, 1);
    unsigned long ul = (unsigned long)-1;
    check(29, ul == ~0ul, 1);
    check(30, (long)(int)0x80000000 < 0, 1);
    check(31, 'a' + '\377', 96);
    check(32, (short)70000, 4464);
    __int128 wide = (__int128)1 << 100;
    check(33, (long long)(wide >> 98), 4);
}

static void order(void)
{
    int i = 1, a[4] = {10, 20, 30, 40};
    calls = 0;
    check(100, next() * 100 + next() * 10 + next(), 123);
    check(101, global + change(), 6);
    check(102, global, 100);
    i = a[i++] + i;
    check(103, i, 22);
    i = 0;
    a[i++] = i + 5;
    check(104, a[0], 6);
    i = 3;
    i += id(i++) + 1;
    int *p = a;
    *p++ = 1;
    *p++ = 2;
    check(105, a[0] * 10 + a[1], 12);
    check(106, p - a, 2);
    check(107, *--p, 2);
    check(108, (i = 4, i + 1), 5);
    int x = 0;
    int y = (x = 3) + x;
    check(109, y, 6);
    x = y = 7;
    check(110, x + y, 14);
    a[x = 2] = 9;
    check(111, a[2], 9);
    int z = a[2]++ + a[2];
    check(112, z, 19);
    z = ++a[2];
    check(113, z, 11);
    struct { int v; } s = {1}, *q = &s;
    z = q->v++ + q->v++;
    check(114, z, 3);
    check(115, s.v, 3);
    z = (q->v += 4) + (q->v -= 2);
    check(116, z, 12);
}

static void logic(void)
{
    calls = 0;
    check(200, zero() && next(), 0);
    check(201, calls, 1);
    check(202, next() || zero(), 1);
    check(203, calls, 2);
    int *null = 0;
    int x = 5;
    check(204, null && *null == 3, 0);
    check(205, !null || *null == 3, 1);
    check(206, x ? id(x) : zero(), 5);
    check(207, !x ? 1 : x > 3 ? 2 : 3, 2);
    check(208, (x > 3) + (x < 3) * 10, 1);
    check(209, !!x + !x, 1);
    check(210, x ?: 9, 5);
    check(211, zero() ?: 9, 9);
    check(212, x != 0 && 10 / x == 2, 1);
    x = 0;
    check(213, x != 0 && 10 / x == 2, 0);
    check(214, x == 0 || 10 % x, 1);
    int n = 0;
    if (x || (n = 3) && n == 3)
        n = 7;
    check(215, n, 7);
    if (!(x || n == 0))
        n = 8;
    check(216, n, 8);
    check(217, (n == 8) == 1, 1);
    check(218, (x, n) ? (x ? 1 : 2) : 3, 2);
    if ((n == 8) != 0)
        n = 1;
    if ((n == 8) == 0)
        n += 1;
    check(219, n, 2);
    double d = 0.5;
    check(220, d ? 1 : 0, 1);
    check(221, !d, 0);
    check(222, (_Bool)d, 1);
    check(223, __builtin_expect(n == 2, 1), 1);
    if (__builtin_expect(!!(n == 3), 0))
        n = 100;
    check(224, n, 2);
    void *p = &n;
    check(225, p && 1, 1);
    check(226, p == (void *)0, 0);
}

static void floats(void)
{
    float f = 0.1f;
    double d = 0.1;
    check(300, f == d, 0);
    check(301, f == 0.1f, 1);
    check(302, (int)-2.9, -2);
    check(303, (int)(d * 30), 3);
    check(304, 7 / 2.0 == 3.5, 1);
    d = 1e300 * 1e10;
    check(305, d > 1e308, 1);
    check(306, __builtin_isinf(d) != 0, 1);
    d = d - d;
    check(307, d != d, 1);
    check(308, __builtin_isnan(d) != 0, 1);
    check(309, d < 0 || d >= 0, 0);
    check(310, !(d < 0), 1);
    d = -0.0;
    check(311, d == 0, 1);
    check(312, 1 / d < 0, 1);
    check(313, __builtin_fabs(-3.5) == 3.5, 1);
    check(314, 1 / __builtin_fabs(d) > 0, 1);
    check(315, (unsigned char)3.99f, 3);
    check(316, 16777216.0f + 1.0f == 16777216.0f, 1);
    f = 1;
    f++;
    f += 0.5;
    check(317, f == 2.5f, 1);
    long double l = 1;
    l = l / 3;
    check(318, l * 3 == 1.0L, 1);
    check(319, (float)l == 1.0f / 3, 1);
    check(320, 0x1p-2 == 0.25, 1);
    unsigned long long u = 18446744073709551615ULL;
    check(321, (double)u == 18446744073709551616.0, 1);
    check(322, (long long)1e18, 1000000000000000000LL);
}

static void bits(void)
{
    check(400, __builtin_popcount(0xf0f0u), 8);
    check(401, __builtin_clz(1u), 31);
    check(402, __builtin_ctz(8u), 3);
    check(403, __builtin_clzll(1ull), 63);
    check(404, __builtin_ffs(0), 0);
    check(405, __builtin_ffs(12), 3);
    check(406, __builtin_parity(7u), 1);
    check(407, __builtin_bswap32(0x12345678u), 0x78563412);
    check(408, __builtin_bswap16(0x1234), 0x3412);
    check(409, __builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull, 1);
    check(410, __builtin_clrsb(-1), 31);
    int r;
    check(411, __builtin_add_overflow(2147483647, id(1), &r), 1);
    check(412, r, -2147483647 - 1);
    check(413, __builtin_sub_overflow(5, id(7), &r), 0);
    check(414, r, -2);
    unsigned u;
    check(415, __builtin_sub_overflow(5u, 7u, &u), 1);
    check(416, u, 4294967294u);
    check(417, __builtin_mul_overflow(65536u, 65536u, &u), 1);
    check(418, u, 0);
    long long ll;
    check(419, __builtin_mul_overflow(65536u, 65536u, &ll), 0);
    check(420, ll, 4294967296);
    check(421, __builtin_smul_overflow(65536, 32768, &r), 1);
    int at = 5;
    check(422, __sync_fetch_and_add(&at, 3), 5);
    check(423, __sync_sub_and_fetch(&at, 1), 7);
    check(424, __sync_bool_compare_and_swap(&at, 7, 9), 1);
    check(425, __sync_val_compare_and_swap(&at, 7, 10), 9);
    check(426, __atomic_exchange_n(&at, 4, 5), 9);
    int expected = 3;
    check(427, __atomic_compare_exchange_n(&at, &expected, 8, 0, 5, 5), 0);
    check(428, expected, 4);
    check(429, __atomic_or_fetch(&at, 3, 5), 7);
    check(430, __atomic_load_n(&at, 5), 7);
    int abs(int);
    check(431, abs(-4) + abs(3), 7);
}

int main(void)
{
    promotions();
    order();
    logic();
    floats();
    bits();
    return failures;
}
