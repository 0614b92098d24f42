// expect: false
// checks: memory
// Nodes of a tree lead to their parents, but for some that lead to the root: what is above a leaf may not be its parent.
#include <stdlib.h>

struct node {
    struct node *left;
    struct node *right;
    struct node *up;
};

int __VERIFIER_nondet_int(void);

static struct node *add(struct node *up) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->left = NULL;
    node->right = NULL;
    node->up = up;
    return node;
}

int main(void) {
    struct node *root = add(NULL);
    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left && at->right)
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!at->left)
            at->left = add(at);
        else
            at->right = add(root);
    }
    struct node *at = root;
    while (at->left || at->right)
        at = at->left ? at->left : at->right;
    while (at != root) {
        struct node *up = at->up;
        if (at == up->left)
            up->left = NULL;
        else
            up->right = NULL;
        free(at);
        at = up;
        while (at->left || at->right)
            at = at->left ? at->left : at->right;
    }
    free(root);
    return 0;
}
