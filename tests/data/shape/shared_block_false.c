// expect: false
// checks: free
// All nodes have the same block, which each of them frees.
#include <stdlib.h>

struct node {
    int *block;
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    int *block = malloc(sizeof *block);
    do {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->block = block;
        node->next = list;
        list = node;
    } while (__VERIFIER_nondet_int());
    while (list) {
        struct node *next = list->next;
        free(list->block);
        free(list);
        list = next;
    }
    return 0;
}
