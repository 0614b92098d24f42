// expect: false
// checks: leak
// Only a block that was freed leads to the other one.
#include <stdlib.h>

struct node {
    struct node *next;
};

struct node *list;

int main(void)
{
    list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->next->next = 0;
    free(list);
    return 0;
}
