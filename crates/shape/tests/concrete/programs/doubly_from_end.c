// A doubly linked list with pointers to both ends; nodes leave at the front.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *prev; int value; struct node *next; };

int main(void)
{
    struct node *first = 0;
    struct node *last = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() || !first) {
            struct node *node = malloc(sizeof *node);
            if (!node)
                abort();
            node->next = 0;
            node->prev = last;
            node->value = __VERIFIER_nondet_int();
            if (last)
                last->next = node;
            else
                first = node;
            last = node;
        } else {
            struct node *next = first->next;
            free(first);
            first = next;
            if (first)
                first->prev = 0;
            else
                last = 0;
        }
    }
    while (last) {
        struct node *before = last->prev;
        free(last);
        last = before;
    }
    return 0;
}
