// expect: true
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// witness: it has no shapes, and no analysis that reads it finds the trees again
// A tree whose nodes lead to their parents is freed from its leaves on, up and down.
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
        if (!at->left && __VERIFIER_nondet_int())
            at->left = add(at);
        else if (!at->right)
            at->right = add(at);
    }
    struct node *at = root;
    while (at) {
        if (at->left) {
            at = at->left;
        } else if (at->right) {
            at = at->right;
        } else {
            struct node *up = at->up;
            if (up) {
                if (up->left == at)
                    up->left = NULL;
                else
                    up->right = NULL;
            }
            free(at);
            at = up;
        }
    }
    return 0;
}
