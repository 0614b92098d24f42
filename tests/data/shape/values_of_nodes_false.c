// expect: false
// checks: assertions
// Nodes have values of their own: that of the first one is no value of the others.
#include <stdlib.h>

void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = __VERIFIER_nondet_int() ? 1 : 5;
        node->next = list;
        list = node;
    }
    if (!list)
        return 0;
    for (struct node *node = list; node; node = node->next)
        if (node->value != list->value)
            reach_error();
    return 0;
}
