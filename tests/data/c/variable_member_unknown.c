// expect: unknown(unsupported: type)
// checks: assertions
// The size of a record with an array of variable length (GNU) is not known before the run.
#include <assert.h>

int main(int argc, char **argv)
{
    struct { int first; int more[argc]; int last; } *record;
    assert(sizeof *record == 8);
    return 0;
}
