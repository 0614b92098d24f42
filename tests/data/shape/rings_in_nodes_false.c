// expect: false
// checks: leak
// Each node has a ring of links, which may be empty: then the head in the node leads to itself. The last item of a ring is lost.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next;
    struct link *prev;
};
struct item {
    long value;
    long other;
    struct link link;
};
struct node {
    struct node *next;
    struct link items;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->items.next = &node->items;
        node->items.prev = &node->items;
        while (__VERIFIER_nondet_int()) {
            struct item *item = malloc(sizeof *item);
            if (!item)
                break;
            item->value = 0;
            item->link.next = node->items.next;
            item->link.prev = &node->items;
            node->items.next->prev = &item->link;
            node->items.next = &item->link;
        }
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *node = list;
        struct link *link = node->items.next;
        while (link->next != &node->items) {
            struct item *item = (struct item *)((char *)link - offsetof(struct item, link));
            link = link->next;
            free(item);
        }
        list = node->next;
        free(node);
    }
    return 0;
}
