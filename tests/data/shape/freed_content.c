// expect: true
// checks: memory,free
// malloc: never-fails
// What belongs to the nodes ends first, while they still lead to it.
#include <stdlib.h>

int input(void);

struct node {
    struct node *next;
    void *content;
};

static struct node *list;

int main(void) {
    do {
        struct node *node = malloc(sizeof *node);
        node->content = malloc(119);
        node->next = list;
        list = node;
    } while (input());
    for (struct node *node = list; node; node = node->next)
        free(node->content);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
