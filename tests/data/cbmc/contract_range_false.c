// expect: false
// environment: --entry harness --check-contract behind
// The end of a buffer is in its range, the byte behind it is not.
#include <stddef.h>

_Bool is_inside(const char *from, const char *p, const char *to)
{
    _Bool result = __CPROVER_pointer_in_range_dfcc(from, p, to);
    return result;
}

const char *behind(const char *buf, size_t n)
__CPROVER_requires(n < 8 && __CPROVER_is_fresh(buf, 8))
__CPROVER_assigns()
__CPROVER_ensures(is_inside(buf, __CPROVER_return_value, buf + 7))
{
    return buf + n + (n == 7);
}

void harness(void)
{
    const char *buf;
    size_t n;
    behind(buf, n);
}
