// A stack with functions that push and pop.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *below; int value; };

static struct node *push(struct node *top, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return top;
    node->below = top;
    node->value = value;
    return node;
}

static struct node *pop(struct node *top, int *value)
{
    struct node *below = top->below;
    *value = top->value;
    free(top);
    return below;
}

int main(void)
{
    struct node *top = 0;
    int value = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            top = push(top, value);
        else if (top)
            top = pop(top, &value);
    }
    while (top)
        top = pop(top, &value);
    return value > 1000;
}
