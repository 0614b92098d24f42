// expect: true
// environment: --entry sum --max-elements 2 --max-depth 3
// checks: memory,assertions
// Records lead to others, to a depth, and their truth values are true or false.
#include <assert.h>
struct node {
    struct node *next;
    _Bool is_used;
    short value;
};
int sum(struct node *list)
{
    int n = 0, sum = 0;
    for (; list; list = list->next) {
        n++;
        sum += list->is_used;
    }
    assert(n <= 3 && sum <= n);
    return sum;
}
