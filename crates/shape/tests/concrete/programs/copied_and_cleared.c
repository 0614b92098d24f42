// Nodes are cleared, copied, and assigned as a whole.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *calloc(size_t, size_t);
struct node { int flags; int value; struct node *next; long rest[2]; };

int main(void)
{
    struct node *list = 0;
    struct node model;
    memset(&model, 0, sizeof model);
    model.value = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        struct node *node = calloc(1, sizeof *node);
        if (!node)
            break;
        if (__VERIFIER_nondet_int()) {
            memcpy(node, &model, sizeof *node);
        } else if (__VERIFIER_nondet_int()) {
            node->rest[1] = 4;
            memset(node, 0, 16);
        } else if (__VERIFIER_nondet_int()) {
            memset(node->rest, 1, sizeof node->rest);
        }
        node->next = list;
        list = node;
        model = *node;
        model.next = 0;
    }
    while (list) {
        struct node copy = *list;
        if (copy.flags)
            abort();
        free(list);
        list = copy.next;
    }
    return 0;
}
