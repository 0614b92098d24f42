// expect: false
// checks: free
// The first and the last node are the same one where the list has one only.
#include <stdlib.h>

struct node {
    struct node *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *first = NULL, *last = NULL;
    do {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        node->next = first;
        first = node;
        if (!last)
            last = node;
    } while (__VERIFIER_nondet_int());
    if (first->next && first->next->next)
        return 0;
    free(last);
    free(first);
    return 0;
}
