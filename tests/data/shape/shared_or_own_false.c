// expect: false
// checks: free
// The nodes have blocks of their own, or all the same one: a graph for both must not claim that blocks are their own.
#include <stdlib.h>

struct node {
    struct node *next;
    int *block;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    int *block = malloc(sizeof *block);
    int shared = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        if (!shared)
            block = malloc(sizeof *block);
        node->block = block;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list->block);
        free(list);
        list = next;
    }
    return 0;
}
