// expect: true
// checks: assertions,memory
// malloc: never-fails
// The list and its items are one class of cells, which are bytes, because an item has text behind its links.
#include <assert.h>
#include <stdlib.h>

typedef void *item_t[2];
typedef item_t *item_p;
struct text_item {
    item_t head;
    char text[20];
};

static item_p make(int at, item_p *cursor) {
    struct text_item *item = malloc(sizeof *item);
    while (*cursor && (**cursor)[at])
        cursor = (item_p *)&(**cursor)[at];
    item->text[0] = 0;
    item->head[0] = item->head[1] = *cursor;
    *cursor = &item->head;
    return &item->head;
}

int main(void) {
    static item_t list;
    item_p first = make(1, (item_p *)&list[1]);
    assert(list[1] == first);
    assert((*first)[1] == NULL);
    free(first);
    return 0;
}
