// Insertion and deletion through the address of the link.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { int value; struct node *next; };

static void insert(struct node **link, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->next = *link;
    *link = node;
}

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node **link = &list;
        while (*link && __VERIFIER_nondet_int())
            link = &(*link)->next;
        insert(link, 4);
    }
    struct node **link = &list;
    while (*link) {
        struct node *node = *link;
        if (__VERIFIER_nondet_int()) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
