// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// All nodes have the same block, which is freed once.
#include <stdlib.h>

struct node {
    int *block;
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    int *block = malloc(sizeof *block);
    if (!block)
        return 1;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->block = block;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        *list->block = 1;
        free(list);
        list = next;
    }
    free(block);
    return 0;
}
