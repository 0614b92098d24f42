// Nodes are taken out of a list wherever they are.
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
        node->next = list;
        list = node;
    }
    struct node *before = 0;
    struct node *at = list;
    while (at) {
        struct node *next = at->next;
        if (at->value == 0) {
            if (before)
                before->next = next;
            else
                list = next;
            free(at);
        } else {
            before = at;
        }
        at = next;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
