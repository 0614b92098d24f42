// A list that grows where an end pointer says.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; int value; };

int main(void)
{
    struct node *first = 0;
    struct node *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = 0;
        node->value = 5;
        if (last)
            last->next = node;
        else
            first = node;
        last = node;
    }
    if (last)
        last->value = 6;
    while (first) {
        struct node *next = first->next;
        if (first == last)
            last = 0;
        free(first);
        first = next;
    }
    return 0;
}
