// Nodes share a block, or each has a block of its own: the lists look alike from their nodes.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);

struct node { struct node *next; int *data; };

struct node *list;

static void add(int *data)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->data = data;
    node->next = list;
    list = node;
}

int main(void)
{
    if (__VERIFIER_nondet_int()) {
        int *shared = malloc(sizeof *shared);
        if (!shared)
            return 1;
        *shared = 0;
        add(shared);
        add(shared);
        while (__VERIFIER_nondet_int())
            add(shared);
    } else {
        int *own;
        do {
            own = malloc(sizeof *own);
            if (!own)
                return 1;
            *own = 0;
            add(own);
        } while (__VERIFIER_nondet_int());
    }
    while (__VERIFIER_nondet_int()) {
    }
    if (list->next) {
        *list->data = 1;
        *list->next->data = 2;
        int first = *list->data;
        while (__VERIFIER_nondet_int()) {
        }
        return first;
    }
    return 0;
}
