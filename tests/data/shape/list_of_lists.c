// expect: true
// malloc: may-fail
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// Each node of a list has a list for itself, which may be empty.
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

struct node {
    struct node *next;
    struct item *items;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->items = NULL;
        while (__VERIFIER_nondet_int()) {
            struct item *item = malloc(sizeof *item);
            if (!item)
                abort();
            item->value = 0;
            item->next = node->items;
            node->items = item;
        }
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *node = list;
        list = node->next;
        while (node->items) {
            struct item *item = node->items;
            node->items = item->next;
            free(item);
        }
        free(node);
    }
    return 0;
}
