// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// A list is reversed in place, and the node after the first one is taken out.
#include <stdlib.h>

struct node {
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = list;
        list = node;
    }
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    if (reversed && reversed->next) {
        struct node *second = reversed->next;
        reversed->next = second->next;
        free(second);
    }
    while (reversed) {
        struct node *next = reversed->next;
        free(reversed);
        reversed = next;
    }
    return 0;
}
