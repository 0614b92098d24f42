// Nodes have their data in themselves, or in a block.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node {
    struct node *next;
    struct node *prev;
    char *data;
    char own;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->prev = 0;
        node->next = list;
        if (list)
            list->prev = node;
        node->data = &node->own;
        if (__VERIFIER_nondet_int()) {
            node->data = malloc(1);
            if (!node->data)
                abort();
        }
        list = node;
    }
    for (struct node *node = list; node; node = node->next)
        *node->data = 1;
    while (list) {
        struct node *node = list;
        list = list->next;
        if (node->data != &node->own)
            free(node->data);
        free(node);
    }
    return 0;
}
