// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// The list has a node, so that the branch with the wrong access is unreachable.
#include <stdlib.h>

struct node {
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL, *other = NULL;
    do {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = list;
        list = node;
    } while (__VERIFIER_nondet_int());
    if (!list)
        other->next = NULL;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
