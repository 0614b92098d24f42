// expect: false
// environment: --entry harness --check-contract end --use-contract fill
// A callee's predicate asks for one byte more than the predicate of the caller gives.
#include <stddef.h>

_Bool is_buffer(char *buf, size_t size) { return __CPROVER_is_fresh(buf, size); }

_Bool is_text(char *buf, size_t size) { return is_buffer(buf, size + 1); }

void fill(char *buf, size_t size)
__CPROVER_requires(is_text(buf, size))
__CPROVER_assigns(__CPROVER_object_upto(buf, size + 1));

void end(char *buf, size_t size)
__CPROVER_requires(size > 0 && size < 8 && is_buffer(buf, size))
__CPROVER_assigns(__CPROVER_object_upto(buf, size))
{
    fill(buf, size);
}

void harness(void)
{
    char *buf;
    size_t size;
    end(buf, size);
}
