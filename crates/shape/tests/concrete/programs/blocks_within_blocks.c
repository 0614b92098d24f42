// A node may have a block of its own, which may have another one.
extern int __VERIFIER_nondet_int(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct block { int *data; int number; };
struct node { struct block *block; struct node *next; };

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->block = malloc(sizeof *node->block);
        if (node->block) {
            node->block->number = 3;
            node->block->data = malloc(sizeof *node->block->data);
        }
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        if (list->block) {
            free(list->block->data);
            free(list->block);
        }
        free(list);
        list = next;
    }
    return 0;
}
