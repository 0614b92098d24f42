// Nodes are put where the order of their values wants them.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->value = __VERIFIER_nondet_int();
        node->next = 0;
        if (!list || list->value >= node->value) {
            node->next = list;
            list = node;
        } else {
            struct node *at = list;
            while (at->next && at->next->value < node->value)
                at = at->next;
            node->next = at->next;
            at->next = node;
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
