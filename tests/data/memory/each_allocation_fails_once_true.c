// expect: true
// args: --config bmc
// What is done is known but for the allocation that fails first: no run is a mixture of two.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *text;
};

static void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list->text);
        free(list);
        list = next;
    }
}

static struct node *words(const char *text)
{
    struct node *list = 0, **end = &list;
    while (*text) {
        size_t length = strcspn(text, " ");
        struct node *node = calloc(1, sizeof *node);
        if (!node)
            goto failed;
        *end = node;
        end = &node->next;
        node->text = malloc(length + 1);
        if (!node->text)
            goto failed;
        memcpy(node->text, text, length);
        node->text[length] = 0;
        text += length + strspn(text + length, " ");
    }
    return list;
failed:
    drop(list);
    return 0;
}

int main(void)
{
    struct node *list = words("each of these words has  two blocks");
    if (!list)
        return 0;
    size_t length = 0, count = 0;
    for (struct node *node = list; node; node = node->next, count++)
        length += strlen(node->text);
    assert(count == 7 && length == 28);
    drop(list);
    return 0;
}
