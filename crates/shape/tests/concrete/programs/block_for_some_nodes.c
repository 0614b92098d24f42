// A node may have a block of its own.
extern int __VERIFIER_nondet_int(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { int *data; struct node *next; };

int main(void)
{
    struct node *list = 0, **end = &list;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->data = 0;
        if (__VERIFIER_nondet_int())
            node->data = malloc(sizeof *node->data);
        node->next = 0;
        *end = node;
        end = &node->next;
    }
    for (struct node *node = list; node; node = node->next)
        if (node->data && __VERIFIER_nondet_int()) {
            free(node->data);
            node->data = 0;
        }
    while (list) {
        struct node *next = list->next;
        if (list->data)
            *list->data = 10;
        free(list->data);
        free(list);
        list = next;
    }
    return 0;
}
