// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// A doubly linked ring with its head on the stack, as in the kernel of Linux: links lie within the nodes.
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

static void add(struct link *link, struct link *head) {
    link->next = head->next;
    link->prev = head;
    head->next->prev = link;
    head->next = link;
}

static void del(struct link *link) {
    link->prev->next = link->next;
    link->next->prev = link->prev;
}

int main(void) {
    struct link head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = 1;
        add(&node->link, &head);
    }
    while (head.next != &head) {
        struct node *node = (struct node *)((char *)head.next - offsetof(struct node, link));
        del(&node->link);
        free(node);
    }
    return 0;
}
