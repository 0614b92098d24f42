// Recursion that is not deep builds a list; frames have addresses of frames.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; int depth; };

static void build(struct node **link, int depth)
{
    if (depth == 4 || !__VERIFIER_nondet_int()) {
        *link = 0;
        return;
    }
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->depth = depth;
    struct node *rest;
    build(&rest, depth + 1);
    node->next = rest;
    *link = node;
}

int main(void)
{
    struct node *list;
    build(&list, 0);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
