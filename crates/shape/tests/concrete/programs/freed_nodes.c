// Pointers to nodes that were freed stay behind, and are never followed.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; struct node *gone; };

int main(void)
{
    struct node *list = 0;
    struct node *old = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = list;
        node->gone = 0;
        list = node;
        if (old == node)
            abort();
        if (__VERIFIER_nondet_int()) {
            list = node->next;
            old = node;
            free(node);
        }
    }
    while (list) {
        struct node *next = list->next;
        if (list->gone == list)
            abort();
        free(list);
        list = next;
    }
    return 0;
}
