// expect: false
#include <strings.h>
extern void __VERIFIER_error(void);

int main(void)
{
    char a[] = "a", b[] = "c";
    if (bcmp(a, b, 1) < 0)
        __VERIFIER_error();
    return 0;
}
