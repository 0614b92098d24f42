int printf(const char *, ...);
static int failures;
static void check(int id, long long got, long long expected)
{
    if (got != expected) {
        printf("%d: %lld, not %lld\n", id, got, expected);
        failures++;
    }
}

struct item { const char *name; int (*run)(int); unsigned on : 1, level : 7; struct { short s; } inner; };
static int plus(int x) { return x + 1; }
static int minus(int x) { return x - 1; }
static struct item items[] = {
    {"plus", plus, 1, 100, {3}},
    [2] = {.run = minus, .inner.s = -4, .name = "minus"},
    {"last"},
};
static struct node { struct node *next; int v; } ring[2] = {{&ring[1], 1}, {ring, 2}};
static int *const to_member = &ring[1].v;
static char names[2][6] = {"one", {'t', 'w', 'o'}};
enum sign { NEG = -1, ZERO, POS };
typedef int row[3];

static int depth(int n, int *outer)
{
    int here = n;
    if (n == 0)
        return outer != &here;
    return depth(n - 1, &here) && here == n && outer != &here;
}

static int out_of_loops(void)
{
    int found = 0;
    for (int i = 0; i < 5; i++) {
        int grid[5] = {i, i + 1, i + 2, i + 3, i + 4};
        for (int j = 0; j < 5; j++) {
            struct { int sum; } cell = {grid[j]};
            if (cell.sum == 7) {
                found = i * 10 + j;
                goto done;
            }
        }
    }
done:
    return found;
}

static int return_inside(int x)
{
    int y = ({ if (x > 3) return 99; x * 2; });
    return y + 1;
}

static int into_loop(int x)
{
    int i = 0, n = 0;
    if (x)
        goto middle;
    for (i = 0; i < 3; i++) {
        n += 10;
    middle:
        n += 1;
    }
    return n;
}

static int sum_of(const int *p, int n)
{
    int s = 0;
    while (n--)
        s += *p++;
    return s;
}

static unsigned long long collatz(unsigned n)
{
    unsigned long long steps = 0;
    for (; n != 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}


static const char *kind(int x)
{
    return _Generic(x, int: "int", long: "long", default: "other");
}

int main(void)
{
    check(1, items[0].run(4) + items[2].run(4), 8);
    check(2, items[0].level + items[0].on + items[2].level, 101);
    check(3, items[2].inner.s + items[2].name[0], -4 + 'm');
    check(4, sizeof items / sizeof *items, 4);
    check(5, items[3].run == 0 && items[1].name == 0, 1);
    check(6, ring[0].next->next->v + *to_member, 3);
    check(7, names[1][2] + names[1][3] + names[0][5], 'o');
    enum sign sign = NEG;
    check(8, sign < ZERO, 1);
    check(9, depth(4, 0), 1);
    check(10, out_of_loops(), 34);
    check(11, return_inside(1) + return_inside(4), 102);
    check(12, into_loop(0), 33);
    check(13, into_loop(1), 1 + 11 + 11);
    check(14, sum_of((int[]){1, 2, 3}, 3), 6);
    check(15, collatz(27), 111);
    check(16, kind(1)[0], 'i');
    row r = {1, 2, 3}, *pr = &r;
    check(17, (*pr)[2] + sizeof *pr, 15);
    int *p = r + 3;
    check(18, p[-1] * 10 + *(p - 2), 32);
    p -= 2;
    p += 1;
    check(19, *p--, 3);
    check(20, *p, 2);
    check(21, __builtin_offsetof(struct item, inner) > 0, 1);
    check(22, sizeof(__func__), 5);
    char c = 0x80;
    check(23, c < 0 && (unsigned char)c == 128, 1);
    long long bits = 0;
    for (int i = 0; i < 64; i += 9)
        bits |= 1LL << i;
    check(24, bits == (long long)0x8040201008040201ULL, 1);
    int n = 0;
    for (int i = 0, j = 10; i < j; i++, j--)
        n += j - i;
    check(25, n, 30);
    union { struct { unsigned char lo, hi; } b; unsigned short w; } u = {.w = 0x1234};
    check(26, u.b.hi * 256 + u.b.lo, 0x1234);
    unsigned char uc = 255;
    uc++;
    check(27, uc, 0);
    uc--;
    check(28, uc, 255);
    uc >>= 1;
    uc ^= 0xf0;
    check(29, uc, 0x8f);
    short sh = 1;
    sh <<= 15;
    check(30, sh, -32768);
    sh /= -1;
    check(31, sh, -32768);
    float f = 3;
    f *= 1.5;
    n = 7;
    n *= 1.5;
    check(32, (int)f * 100 + n, 410);
    struct { int a[3]; } s1 = {{1, 2, 3}}, s2;
    s2 = s1;
    s1.a[1] = 9;
    check(33, s2.a[1] + (s2 = s1).a[1], 11);
    int zero = 0;
    check(34, zero ? 1 / zero : 5, 5);
    int x = 1;
    x = x ? zero ? 1 : 2 : 3;
    check(35, x, 2);
    void *v = &x;
    check(36, *(int *)v + (v != (void *)0), 3);
    unsigned long address = (unsigned long)v;
    check(37, *(int *)address, 2);
    check(38, (int)(signed char)(unsigned char)200, -56);
    check(39, -1 < sizeof(int), 0);
    int arr[2][2] = {1, 2, 3, 4};
    check(40, arr[1][0] * 10 + (&arr[0][0])[1], 32);
    const char *text = "a" "b\0c";
    check(41, text[1] + text[3] + sizeof "a" "b", 'b' + 'c' + 3);
    check(42, L'x' + sizeof(L"xy") / sizeof(L' '), 'x' + 3);
    n = 0;
    do {
        if (n == 2)
            continue;
        n++;
    } while (n < 2);
    check(43, n, 2);
    switch (n) {
        for (;;) {
    case 2:
            n++;
            if (n > 4)
                break;
        }
    }
    check(44, n, 5);
    int t = 3;
    t += t++ * 0 + 1;
    long double ld = 1.25L;
    check(45, (int)(ld * 4), 5);
    __typeof__(ld) other = ld;
    check(46, other == ld, 1);
    _Bool flag = &x != 0;
    flag &= 2;
    check(47, flag, 0);
    int m[3] = {[2] = 5}, k = 0;
    m[k++] = 1;
    m[k]++;
    --m[2];
    check(48, m[0] * 100 + m[1] * 10 + m[2], 114);
    return failures;
}
