// expect: true
// checks: memory
// data-model: ILP32
// witness: the first loop writes an array whose size is no constant, so that the loop is not cut
// No run goes on with a block that no stack has room for, so that blocks of any other size fit beside each other.
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000)
        n = 1;
    int *a = alloca(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < n; i++) {
        char *p = (char *)&a[i] + 2;
        sum ^= *p;
    }
    return sum;
}
