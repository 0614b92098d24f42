// expect: false
#include <assert.h>

/* The page number loses its high bits before it is converted. */
struct entry {
    unsigned long long frame : 40;
    unsigned long long flags : 12;
};

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    struct entry e = {__VERIFIER_nondet_uint(), 0};
    unsigned long long address = e.frame << 12;
    unsigned long long whole = (unsigned long long)e.frame << 12;
    assert(whole >> 12 == e.frame);
    assert(address >> 12 == e.frame);
}
