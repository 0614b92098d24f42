// Each node has a ring, which may be empty.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

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

int main(void) {
    struct node *list = 0;
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
        while (link != &node->items) {
            struct item *item = (struct item *)((char *)link - sizeof(long) * 2);
            link = link->next;
            free(item);
        }
        list = node->next;
        free(node);
    }
    return 0;
}
