// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// witness: it has no shapes, and no analysis that reads it finds the trees again
// A binary tree whose nodes lead to their parents, and have names of their own; it is freed with a stack of what is to be freed.
#include <stdlib.h>

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

int __VERIFIER_nondet_int(void);

static struct node *add(struct node *up) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->left = NULL;
    node->right = NULL;
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
    struct node *root = add(NULL);
    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left && at->right)
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!at->left && __VERIFIER_nondet_int())
            at->left = add(at);
        else if (!at->right)
            at->right = add(at);
    }
    struct item *stack = push(NULL, root);
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
