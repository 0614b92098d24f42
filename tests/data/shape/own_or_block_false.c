// expect: false
// checks: free
// Nodes of a doubly linked list have their data in themselves, or in a block of their own: what is in a node must not be freed for itself.
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
    char *data;
    char own;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->prev = NULL;
        node->next = list;
        if (list)
            list->prev = node;
        node->data = &node->own;
        if (__VERIFIER_nondet_int()) {
            node->data = malloc(1);
            if (!node->data)
                abort();
        }
        list = node;
    }
    for (struct node *node = list; node; node = node->next)
        *node->data = 1;
    while (list) {
        struct node *node = list;
        list = list->next;
            free(node->data);
        free(node);
    }
    return 0;
}
