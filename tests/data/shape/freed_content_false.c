// expect: false
// checks: memory,free
// malloc: never-fails
#include <stdlib.h>

int input(void);

struct node {
    struct node *next;
    char *content;
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
    return list->content[0];
}
