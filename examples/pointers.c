/* Pointers, structs and the heap: reversing a list twice gives the list, and nothing is lost.   hone check examples/pointers.c */
#include <assert.h>
#include <stdlib.h>

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

static void release(struct node *list) {
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *list = NULL;
    for (int i = 3; i >= 0; i--) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL) {
            release(list);
            return 0;
        }
        node->value = i;
        node->next = list;
        list = node;
    }
    list = reverse(reverse(list));
    struct node *node = list;
    for (int i = 0; i < 4; i++) {
        assert(node->value == i);
        node = node->next;
    }
    assert(node == NULL);
    release(list);
    return 0;
}
