// Nodes of two kinds alternate in any order: they become one list in spite of their numbers.
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node {
    int kind;
    struct node *next;
};

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node;
        if (__VERIFIER_nondet_int()) {
            node = malloc(sizeof *node);
            if (!node)
                break;
            node->kind = 1;
        } else {
            struct node *other = malloc(sizeof *other);
            if (!other)
                break;
            other->kind = 2;
            node = other;
        }
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
