// A tree with parents and blocks is freed with a stack.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node {
    struct node *left;
    struct node *right;
    struct node *up;
    char *name;
};
struct item {
    struct item *next;
    struct node *node;
};

static struct node *add(struct node *up) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->left = 0;
    node->right = 0;
    node->up = up;
    node->name = malloc(8);
    if (!node->name)
        abort();
    return node;
}

static struct item *push(struct item *stack, struct node *node) {
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    item->next = stack;
    item->node = node;
    return item;
}

int main(void) {
    struct node *root = add(0);
    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left && at->right)
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!at->left && __VERIFIER_nondet_int())
            at->left = add(at);
        else if (!at->right)
            at->right = add(at);
    }
    struct item *stack = push(0, root);
    while (stack) {
        struct item *item = stack;
        struct node *node = item->node;
        stack = item->next;
        free(item);
        if (node->left)
            stack = push(stack, node->left);
        if (node->right)
            stack = push(stack, node->right);
        free(node->name);
        free(node);
    }
    return 0;
}
