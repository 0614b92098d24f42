// expect: true
// environment: --entry harness --check-contract find --use-contract skip
// Predicates say what memory is there; a loop that is not entered needs no invariant, and what is written behind a jump out of it is known.
#include <stddef.h>

_Bool is_buffer(const char *buf, size_t size) { return size > 0 & __CPROVER_is_fresh(buf, size); }

_Bool is_input(const char *buf, size_t size, size_t *at)
{
    return is_buffer(buf, size) & (__CPROVER_is_fresh(at, sizeof(*at)));
}

_Bool is_inside(const char *from, const char *p, const char *to)
{
    return __CPROVER_pointer_in_range_dfcc(from, p, to);
}

const char *skip(const char *buf, size_t size)
__CPROVER_requires(is_buffer(buf, size))
__CPROVER_assigns()
__CPROVER_ensures(is_inside(buf, __CPROVER_return_value, buf + size));

_Bool find(const char *buf, size_t size, size_t *at)
__CPROVER_requires(is_input(buf, size, at))
__CPROVER_assigns(*at)
__CPROVER_ensures(!__CPROVER_return_value || *at < size)
__CPROVER_ensures(__CPROVER_return_value || *at == __CPROVER_old(*at));

_Bool find(const char *buf, size_t size, size_t *at)
{
    _Bool found = 0;
    const char *start = skip(buf, size);
    size_t i = *at;
    while (i < size)
    __CPROVER_assigns(i)
    __CPROVER_loop_invariant(i <= size)
    __CPROVER_decreases(size - i)
    {
        if (buf[i] == *buf && start != buf) {
            found = 1;
            break;
        }
        i++;
    }
    if (found) {
        *at = i;
    }
    return found;
}

void harness(void)
{
    const char *buf;
    size_t size, *at;
    find(buf, size, at);
}
