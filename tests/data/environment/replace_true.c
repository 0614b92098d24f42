// expect: true
// environment: --replace read_pin=any_pin,wait=no_wait
// Stubs stand for functions with a body and without one, also through pointers.
#include <assert.h>
extern int read_pin(int number);
extern int __VERIFIER_nondet_int(void);
static void wait(void)
{
    for (;;)
        ;
}
int any_pin(int number)
{
    assert(number >= 0);
    return __VERIFIER_nondet_int() & 1;
}
void no_wait(void) {}
static int by_pointer(int (*read)(int)) { return read(3); }
int main(void)
{
    wait();
    assert(read_pin(6) <= 1);
    assert(by_pointer(read_pin) <= 1);
    return 0;
}
