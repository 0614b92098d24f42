// expect: false
// checks: leak
// Each node has a block, and that of the first node only is freed: what a list stands for are nodes with blocks of their own.
#include <stdlib.h>

struct node {
    int *block;
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    do {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->block = malloc(sizeof *node->block);
        node->next = list;
        list = node;
    } while (__VERIFIER_nondet_int());
    free(list->block);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
