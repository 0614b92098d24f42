// expect: true
// checks: memory
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char name[4] = {'n', 'a', 'm', 'e'};
    int most = __VERIFIER_nondet_int();
    if (most >= 0 && most <= 4)
        printf("%d: %.4s, %.*s\n", most, name, most, name);
    printf("%.9s", "name");
    return 0;
}
