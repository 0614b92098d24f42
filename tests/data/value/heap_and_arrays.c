// expect: true
// value: true
// Cells of the heap, of arrays and of structs, with pointers between them.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static int table[4] = {3, 1, 4, 1};

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = table[i];
        n->next = list;
        list = n;
    }
    while (__VERIFIER_nondet_int()) {
        if (list->key != 4 || list->next->key != 1 || list->next->next->key != 3)
            reach_error();
        if (list->next->next->next)
            reach_error();
    }
    return 0;
}
