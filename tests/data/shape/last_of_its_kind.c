// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// The last node is told by its number: it must not become a node like the others.
#include <stdlib.h>

struct node {
    int is_last;
    struct node *next;
};

int __VERIFIER_nondet_int(void);
struct node *__VERIFIER_nondet_pointer(void);

int main(void) {
    struct node *list = malloc(sizeof *list);
    if (!list)
        return 1;
    list->is_last = 1;
    list->next = __VERIFIER_nondet_pointer();
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->is_last = 0;
        node->next = list;
        list = node;
    }
    while (!list->is_last) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    free(list);
    return 0;
}
