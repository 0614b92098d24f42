// expect: false
// environment: --entry second --max-depth 2
// checks: memory,assertions
// A member may be null, and so may what it leads to.
#include <assert.h>
struct node {
    struct node *next;
    int value;
};
int second(struct node *list)
{
    if (!list)
        return 0;
    return list->next->value;
}
