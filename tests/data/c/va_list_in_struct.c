// expect: true
// Structs that hold a va_list begin as `{0}`.
#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct holder {
    va_list list;
    int after;
};

static int sum(int n, ...)
{
    struct holder h = { 0 };
    va_start(h.list, n);
    int total = h.after;
    while (n-- > 0)
        total += va_arg(h.list, int);
    va_end(h.list);
    return total;
}

static int braces(int n, ...)
{
    // Members of the list that are spelt out do not get to the member behind it.
    struct holder h = { 0, 0, 0, 0, 7 };
    struct holder g = { { 0 }, 8 };
    struct holder e = { .after = 9, .list = { 0 } };
    va_start(g.list, n);
    int first = va_arg(g.list, int);
    va_end(g.list);
    return h.after + 10 * g.after + 100 * e.after + 1000 * first;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 100)
        return 0;
    if (sum(2, x, 1) != x + 1)
        reach_error();
    if (braces(1, 1) != 7 + 80 + 900 + 1000)
        reach_error();
    return 0;
}
