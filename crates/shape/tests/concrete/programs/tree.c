// A tree grows at its leaves, and loses them again.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node {
    struct node *left;
    struct node *right;
};

static struct node *new_node(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->left = 0;
    node->right = 0;
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
        struct node *above = 0;
        struct node *at = root;
        while (at->left || at->right) {
            above = at;
            if (at->left)
                at = at->left;
            else
                at = at->right;
        }
        if (!above)
            root = 0;
        else if (above->left == at)
            above->left = 0;
        else
            above->right = 0;
        free(at);
    }
    return 0;
}
