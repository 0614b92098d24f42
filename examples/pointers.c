/* Pointers, structs and the heap: reversing a list twice gives the list.   hone check examples/pointers.c */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *reverse(struct node *list) {
    struct node *result = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

int main(void) {
    struct node *list = NULL;
    int values[4];
    for (int i = 3; i >= 0; i--) {
        values[i] = __VERIFIER_nondet_int();
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 0;
        node->value = values[i];
        node->next = list;
        list = node;
    }
    list = reverse(reverse(list));
    for (int i = 0; i < 4; i++) {
        assert(list->value == values[i]);
        list = list->next;
    }
    assert(list == NULL);
    return 0;
}
