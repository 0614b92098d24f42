// expect: false
// environment: --interrupt arrived --max-interrupts 1
// Bit-fields of one word are written together: the program may undo what the handler wrote.
#include <assert.h>
static struct {
    unsigned ready : 1, busy : 1;
} flags;
static int has_run;
void arrived(void)
{
    flags.ready = 1;
    has_run = 1;
}
int main(void)
{
    flags.busy = 1;
    int seen = has_run;
    assert(!seen || flags.ready);
    return 0;
}
