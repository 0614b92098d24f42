#include "objects.h"

int shared;
int table[3] = { 10, 20, 30 };
static struct pair only = { 1, &only };
struct pair *current = &only;

int sum(void)
{
    int result = 0;
    for (int i = 0; i < 3; i++)
        result += table[i];
    return result;
}

int read_shared(void)
{
    return shared;
}

int twice(int x)
{
    return 2 * x;
}

int (*chosen(void))(int)
{
    return twice;
}

int halved_sum(void)
{
    return half(sum());
}
