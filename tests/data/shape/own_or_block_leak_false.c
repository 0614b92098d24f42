// expect: false
// checks: leak
// Nodes of a doubly linked list have their data in themselves, or in a block of their own, which is lost where its node is freed alone.
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
        if (node->data != &node->own && node->prev)
            free(node->data);
        free(node);
    }
    return 0;
}
