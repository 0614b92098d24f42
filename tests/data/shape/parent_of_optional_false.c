// expect: false
// checks: free
// Some nodes have inner lists, whose nodes lead back to their own node: not all to the first one.
#include <stdlib.h>

struct node;
struct inner {
    struct inner *next;
    struct node *parent;
};
struct node {
    struct node *next;
    struct inner *inner;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = malloc(sizeof *list);
    if (!list)
        abort();
    list->next = NULL;
    list->inner = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->inner = malloc(sizeof *node->inner);
        if (!node->inner)
            abort();
        node->inner->next = NULL;
        node->inner->parent = node;
        node->next = list;
        list = node;
    }
    struct node *first = list;
    while (list) {
        struct node *next = list->next;
        struct inner *inner = list->inner;
        if (inner && list != first && inner->parent == list)
            free(list);
        free(inner);
        free(list);
        list = next;
    }
    return 0;
}
