// Each node has a block of its own.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; int *data; };

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        int *data = malloc(sizeof *data);
        if (!data) {
            free(node);
            break;
        }
        *data = __VERIFIER_nondet_int();
        node->data = data;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        if (*list->data > 10)
            *list->data = 10;
        free(list->data);
        free(list);
        list = next;
    }
    return 0;
}
