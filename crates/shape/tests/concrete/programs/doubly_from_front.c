// A doubly linked list that grows at its front, and is walked to its end and back.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; struct node *prev; int value; };

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = list;
        node->prev = 0;
        node->value = 7;
        if (list)
            list->prev = node;
        list = node;
    }
    if (!list)
        return 0;
    struct node *at = list;
    while (at->next)
        at = at->next;
    while (at) {
        struct node *before = at->prev;
        free(at);
        at = before;
    }
    return 0;
}
