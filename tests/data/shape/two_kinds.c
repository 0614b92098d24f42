// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// Nodes of two kinds alternate in any order: they become one list in spite of their numbers.
#include <stdlib.h>

struct node {
    int kind;
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node;
        if (__VERIFIER_nondet_int()) {
            node = malloc(sizeof *node);
            if (!node)
                break;
            node->kind = 1;
        } else {
            struct node *other = malloc(sizeof *other);
            if (!other)
                break;
            other->kind = 2;
            node = other;
        }
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
