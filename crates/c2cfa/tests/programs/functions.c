typedef __builtin_va_list va_list;
int printf(const char *, ...);
static int failures;
static void check(int id, long long got, long long expected)
{
    if (got != expected) {
        printf("%d: %lld, not %lld\n", id, got, expected);
        failures++;
    }
}

struct pair { long a; int b; };

static int sum(int n, ...)
{
    va_list ap;
    __builtin_va_start(ap, n);
    int total = 0;
    for (int i = 0; i < n; i++)
        total += __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return total;
}

static int vsum(int n, va_list ap)
{
    int total = 0;
    while (n--)
        total = total * 10 + __builtin_va_arg(ap, int);
    return total;
}
static int forward(int n, ...)
{
    va_list ap, copy;
    __builtin_va_start(ap, n);
    __builtin_va_copy(copy, ap);
    int r = vsum(n, ap) + vsum(n, copy);
    __builtin_va_end(copy);
    __builtin_va_end(ap);
    return r;
}
static double mixed(const char *kinds, ...)
{
    va_list ap;
    __builtin_va_start(ap, kinds);
    double total = 0;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += __builtin_va_arg(ap, int); break;
        case 'd': total += __builtin_va_arg(ap, double); break;
        case 'l': total += __builtin_va_arg(ap, long long); break;
        case 's': total += *__builtin_va_arg(ap, char *); break;
        case 'p': { struct pair p = __builtin_va_arg(ap, struct pair); total += p.a + p.b; } break;
        }
    }
    __builtin_va_end(ap);
    return total;
}

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*choose(int c))(int, int) { return c ? add : sub; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static struct pair mk(long a, int b) { struct pair p = {a, b}; return p; }
static int use(struct pair p) { return (int)p.a - p.b; }
static void nothing(void) {}
static char narrow(char c) { return c; }
static _Bool truth(int x) { return x; }
static void set(int *p, int v) { *p = v; }
static int addressed(int x) { set(&x, x + 1); return x; }
static int modified(int x) { x += 2; return x; }
static unsigned char wrap(int x) { return x; }

old(a, b)
    char a;
    double b;
{
    return a + (int)b;
}
int unprototyped();
int caller(void) { return unprototyped(3, 4); }
int unprototyped(int a, int b) { return a * b; }

struct ops { int (*op)(int, int); struct pair (*mk)(long, int); int (*use)(struct pair); void (*nothing)(void); };
static struct ops table[] = {{add, mk, use, nothing}, {.op = sub}};

int main(void)
{
    check(1, sum(3, 1, 2, 3) + sum(0), 6);
    check(2, forward(3, 1, 2, 3), 246);
    struct pair p = {100, 5};
    check(3, (int)mixed("idlsp", 1, 2.5, 30LL, "A", p), 1 + 2 + 30 + 65 + 105);
    check(4, choose(1)(3, 4) * 10 + choose(0)(9, 4), 75);
    check(5, apply(sub, 9, 4) + apply(&add, 1, 1), 7);
    check(6, table[0].op(2, 3) + table[1].op(2, 3), 4);
    check(7, table[0].mk(7, 8).b, 8);
    check(8, table[0].use(table[0].mk(50, 8)), 42);
    table[0].nothing();
    check(9, table[1].nothing == 0, 1);
    check(10, narrow(300), 44);
    check(11, truth(256), 1);
    check(12, addressed(4) + modified(4), 11);
    check(13, wrap(-1), 255);
    check(14, old('a', 2.9), 99);
    check(15, caller(), 12);
    int (*fs[2])(int, int) = {add, sub};
    int n = 0;
    for (int i = 0; i < 2; i++)
        n = n * 10 + fs[i](5, 2);
    check(16, n, 73);
    int (*pick)(int, int) = n > 0 ? add : sub;
    check(17, (**pick)(1, 2), 3);
    check(18, add(add(1, 2), add(3, add(4, 5))), 15);
    check(19, use(mk(9, 1)) + use((struct pair){5, 2}), 11);
    void (*v)(void) = (void (*)(void))add;
    check(20, ((int (*)(int, int))v)(6, 7), 13);
    return failures;
}
