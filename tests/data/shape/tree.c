// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// witness: it has no shapes, and no analysis that reads it finds the trees again
// A binary tree grows at its leaves; then its leaves go, one by one.
#include <stdlib.h>

struct node {
    struct node *left;
    struct node *right;
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

int main(void) {
    struct node *root = new_node();
    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left && at->right) {
            if (__VERIFIER_nondet_int())
                at = at->left;
            else
                at = at->right;
        }
        if (!at->left)
            at->left = new_node();
        else
            at->right = new_node();
    }
    while (root) {
        struct node *above = NULL;
        struct node *at = root;
        while (at->left || at->right) {
            above = at;
            if (at->left)
                at = at->left;
            else
                at = at->right;
        }
        if (!above)
            root = NULL;
        else if (above->left == at)
            above->left = NULL;
        else
            above->right = NULL;
        free(at);
    }
    return 0;
}
