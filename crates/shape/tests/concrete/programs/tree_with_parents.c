// A tree is freed along the pointers to parents.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node {
    struct node *left;
    struct node *right;
    struct node *up;
};

static struct node *add(struct node *up) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->left = 0;
    node->right = 0;
    node->up = up;
    return node;
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
                    up->left = 0;
                else
                    up->right = 0;
            }
            free(at);
            at = up;
        }
    }
    return 0;
}
