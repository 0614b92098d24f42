// Lists that end with some number, which is also elsewhere, or is not.
extern int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);

struct node { struct node *next; };

struct node *first;

int main(void)
{
    struct node *end = (struct node *)__VERIFIER_nondet_ulong();
    struct node *same = (struct node *)__VERIFIER_nondet_ulong();
    int kind = 1;
    if (__VERIFIER_nondet_int()) {
        same = end;
        kind = 2;
    }
    first = end;
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return 0;
        node->next = first;
        first = node;
    }
    if (kind > 2)
        abort();
    while (__VERIFIER_nondet_int()) {
    }
    if (!same) {
        while (__VERIFIER_nondet_int()) {
        }
        return 1;
    }
    return 0;
}
