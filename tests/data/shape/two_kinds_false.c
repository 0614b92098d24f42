// expect: false
// checks: memory
// Nodes of some place have a block, those of another one have none: not all of a list have it.
#include <stdlib.h>

struct node {
    struct node *next;
    int *block;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->block = NULL;
        if (__VERIFIER_nondet_int()) {
            node->block = malloc(sizeof *node->block);
            if (!node->block)
                abort();
        }
        node->next = list;
        list = node;
    }
    int any = 0;
    while (list) {
        struct node *next = list->next;
        if (list->block || any)
            *list->block = 1;
        any = list->block != NULL;
        free(list->block);
        free(list);
        list = next;
    }
    return 0;
}
