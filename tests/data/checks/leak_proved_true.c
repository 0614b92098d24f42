// expect: true
// checks: leak
// What a global variable leads to is not lost.
#include <stdlib.h>

struct node {
    struct node *next;
};

struct node *list;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct node *first = malloc(sizeof *first);
        first->next = list;
        list = first;
    }
    return 0;
}
