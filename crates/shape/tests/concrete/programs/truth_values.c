// Whether pointers are null, as numbers and as masks.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; int has_next; _Bool even; };

int main(void)
{
    struct node *list = 0;
    int filled = 0;
    _Bool even = 1;
    while (__VERIFIER_nondet_int() != 0) {
        struct node *node = malloc(sizeof *node);
        int failed = !node;
        if (failed)
            break;
        node->next = list;
        node->has_next = list != 0;
        node->even = even;
        even = !even;
        list = node;
        filled |= node != 0;
    }
    if (filled != (list != 0))
        abort();
    while (list) {
        struct node *next = list->next;
        int ends = (next == 0) + !list->has_next;
        if (ends == 1)
            abort();
        free(list);
        list = next;
    }
    return 0;
}
