// expect: false
// checks: memory
// The node that leaves the ring is freed before its neighbours are told.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};

struct node {
    int value;
    struct link link;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct link head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->link.next = head.next;
        node->link.prev = &head;
        head.next->prev = &node->link;
        head.next = &node->link;
    }
    while (head.next != &head) {
        struct node *node = (struct node *)((char *)head.next - offsetof(struct node, link));
        free(node);
        head.next = node->link.next;
    }
    return 0;
}
