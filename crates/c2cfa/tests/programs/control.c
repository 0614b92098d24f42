int printf(const char *, ...);
static int failures;
static void check(int id, long long got, long long expected)
{
    if (got != expected) {
        printf("%d: %lld, not %lld\n", id, got, expected);
        failures++;
    }
}

static int classify(int x)
{
    int r = 0;
    switch (x) {
    case 0:
        r = 1;
        break;
    case 1:
    case 2:
        r += 10;
    case 3:
        r += 100;
        break;
    case 10 ... 20:
        return 7;
    default:
        r = -1;
    case 5:
        r *= 2;
    }
    return r;
}

static int duff(int n)
{
    int i = 0, count = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            i++;
    case 3:
            i++;
    case 2:
            i++;
    case 1:
            i++;
        } while (--count > 0);
    }
    return i;
}

static int into_block(int x)
{
    int r = 0;
    if (x)
        goto inside;
    {
        int a[2];
        struct { int v; } s;
        a[0] = 5;
        r += a[0];
    inside:
        a[1] = 7;
        s.v = 1;
        r += a[1] + s.v;
    }
    return r;
}

static int in_switch(int x)
{
    switch (x) {
        int a[2];
    case 1:
        a[0] = 3;
        return a[0];
    default:
        a[1] = 4;
        return a[1];
    }
}

static int loops(void)
{
    int n = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 3)
            continue;
        if (i == 7)
            break;
        int fresh[2] = {i};
        n = n * 10 + fresh[0] + fresh[1];
    }
    int j = 5;
    do {
        if (j == 3)
            continue;
        n++;
    } while (--j);
    while (1) {
        n++;
        if (n % 2)
            goto out;
    }
out:
    for (;;)
        break;
    while (0)
        n = 0;
    do
        n++;
    while (0);
    return n;
}

static int computed(int x)
{
    static void *targets[] = {&&first, &&second, &&third};
    int r = 0;
    goto *targets[x];
first:
    r += 1;
second:
    r += 10;
third:
    r += 100;
    return r;
}

static int counter(void)
{
    static int n = 5;
    return n++;
}

static int statement_expression(int x)
{
    int y = ({ int t = x * 2; if (t > 5) t++; t; });
    return y + ({ int a[2] = {1, 2}; a[0] + a[1]; });
}

static int backwards(void)
{
    int n = 0, sum = 0;
again:;
    int local[2];
    local[0] = n;
    sum += local[0];
    if (++n < 4)
        goto again;
    return sum;
}

static long long wide(long long v)
{
    switch (v) {
    case 1LL << 40: return 1;
    case -1: return 2;
    }
    return 3;
}

static int nested(int x, int y)
{
    for (int i = 0;; i++) {
        switch (x) {
        case 1:
            if (y)
                break;
            return 1;
        case 2:
            if (i < 3)
                continue;
            return i;
        default:
            switch (y) { case 4: return 4; }
            return 5;
        }
        return 6;
    }
}

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int odd(int);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

enum color { RED, GREEN = 5, BLUE };

int main(void)
{
    check(1, classify(0), 1);
    check(2, classify(1), 110);
    check(3, classify(3), 100);
    check(4, classify(15), 7);
    check(5, classify(99), -2);
    check(6, classify(5), 0);
    for (int i = 1; i < 10; i++)
        check(10 + i, duff(i), i);
    check(20, into_block(0), 13);
    check(21, into_block(1), 8);
    check(22, in_switch(1) * 10 + in_switch(2), 34);
    check(23, loops(), 12462);
    check(24, computed(0) + computed(1) + computed(2), 111 + 110 + 100);
    check(25, counter() + counter(), 11);
    check(26, statement_expression(1) * 100 + statement_expression(4), 512);
    check(27, backwards(), 6);
    check(28, wide(1LL << 40) * 100 + wide(-1) * 10 + wide(0), 123);
    check(29, nested(1, 0) * 1000 + nested(1, 1) * 100 + nested(2, 0) * 10 + nested(3, 4), 1634);
    check(30, factorial(6), 720);
    check(31, even(10) * 10 + odd(7), 11);
    enum color c = BLUE;
    switch (c) {
    case RED: check(32, 0, 1); break;
    case BLUE: check(33, 1, 1); break;
    default: check(34, 0, 1);
    }
    return failures;
}
