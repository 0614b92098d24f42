// expect: false
// checks: free
// A child may be in two places: what it is in is no tree, and the child is freed twice.
#include <stdlib.h>

struct node {
    struct node *left;
    struct node *right;
};
struct item {
    struct item *next;
    struct node *node;
};

int __VERIFIER_nondet_int(void);

static struct node *new_node(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->left = NULL;
    node->right = NULL;
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
    struct node *root = new_node();
    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left && at->right)
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!at->left)
            at->left = new_node();
        else
            at->right = at->left;
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
        free(node);
    }
    return 0;
}
