// expect: true
// environment: --entry make --check-contract make
// checks: assertions
// malloc: never-fails
// What the function returns did not exist before the call, and is large enough.
#include <stdlib.h>

char *make(char *from)
__CPROVER_requires(__CPROVER_is_fresh(from, 20))
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == NULL || __CPROVER_is_fresh(__CPROVER_return_value, 10))
{
    return from[0] ? malloc(10) : NULL;
}
