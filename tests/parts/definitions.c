#include <string.h>

int limit(void)
{
    return 7;
}

int half(int x)
{
    return x / 2;
}

int unprototyped(int x)
{
    return x + 1;
}

int length(const char *text)
{
    return (int)strlen(text);
}
