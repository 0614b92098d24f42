// expect: true
// args: --config bmc
// What is done is known but for the allocation that fails first: no run is a mixture of two.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int *squares;
};

static void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list->squares);
        free(list);
        list = next;
    }
}

static struct node *filled(int count)
{
    struct node *list = 0;
    for (int i = 0; i < count; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            goto failed;
        node->next = list;
        node->squares = malloc((i + 1) * sizeof(int));
        list = node;
        if (!node->squares)
            goto failed;
        node->squares[i] = i * i;
    }
    return list;
failed:
    drop(list);
    return 0;
}

int main(void)
{
    struct node *list = filled(3);
    if (!list)
        return 0;
    int sum = list->squares[2] + list->next->squares[1];
    assert(sum == 5 && !list->next->next->next);
    drop(list);
    return 0;
}
