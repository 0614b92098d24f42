// expect: false
// A macro of glibc gives 1024, its function gives it, too.
#include <ctype.h>
extern void __VERIFIER_error(void);

int main(void)
{
    int count = 0;
    for (const char *s = "ab1"; *s; s++)
        count += (isalpha)((unsigned char)*s);
    char is_upper = (isupper)('A');
    if (count > 2 && !is_upper)
        __VERIFIER_error();
    return 0;
}
