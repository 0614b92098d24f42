// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// All nodes have a value of some range: the assertion is about each of them.
#include <assert.h>
#include <stdlib.h>

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
    while (list) {
        struct node *next = list->next;
        assert(list->value >= 1 && list->value <= 5);
        free(list);
        list = next;
    }
    return 0;
}
