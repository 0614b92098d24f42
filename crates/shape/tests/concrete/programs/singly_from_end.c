// A list that grows at its end, which is looked for each time.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; int value; };

int main(void)
{
    struct node *list = 0;
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = 0;
        node->value = count;
        if (count < 100)
            count++;
        if (!list) {
            list = node;
        } else {
            struct node *at = list;
            while (at->next)
                at = at->next;
            at->next = node;
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
