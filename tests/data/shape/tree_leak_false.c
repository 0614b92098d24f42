// expect: false
// checks: leak
// A leaf is cut off that may have a child.
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
        while (at->left) {
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
