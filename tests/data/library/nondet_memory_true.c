// expect: true
// checks: assertions,memory
// What lies beside the bytes keeps its value.
#include <assert.h>

extern void __VERIFIER_nondet_memory(void *memory, __SIZE_TYPE__ size);

int main(void)
{
    struct { int before; int it; int behind; } three = {1, 2, 3};
    __VERIFIER_nondet_memory(&three.it, sizeof three.it);
    assert(three.before == 1 && three.behind == 3);
    return 0;
}
