// Each node has a child that leads back to it.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node;
struct child { struct node *parent; int value; };
struct node { struct node *next; struct child *child; };

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        struct child *child = malloc(sizeof *child);
        if (!child) {
            free(node);
            break;
        }
        child->parent = node;
        child->value = __VERIFIER_nondet_int();
        node->child = child;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        struct child *child = list->child;
        if (child->parent != list)
            abort();
        free(child->parent);
        free(child);
        list = next;
    }
    return 0;
}
