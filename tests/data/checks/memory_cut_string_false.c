// expect: false
// checks: memory
// harness: the library reads without the sanitizer, and finds a zero behind the array
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char name[4] = {'n', 'a', 'm', 'e'};
    int most = __VERIFIER_nondet_int();
    if (most <= 5)
        printf("%d: %.4s, %.*s\n", most, name, most, name);
    return 0;
}
