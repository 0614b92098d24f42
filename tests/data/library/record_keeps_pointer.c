// expect: unknown(library function)
#include <assert.h>
#include <pwd.h>

int main(void)
{
    struct passwd *p = getpwuid(0);
    if (!p)
        return 1;
    char mine[] = "me";
    p->pw_name = mine;
    p->pw_name[0] = 'x';
    assert(mine[0] == 'm');
    return 0;
}
