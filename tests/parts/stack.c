#include <assert.h>

#define SIZE 3

int depth;
static int stack[SIZE];

void push(int value)
{
    assert(depth < SIZE);
    stack[depth++] = value;
}

int pop(void)
{
    return depth > 0 ? stack[--depth] : 0;
}
