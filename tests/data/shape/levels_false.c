// expect: false
// checks: memory,free,leak
// malloc: never-fails
// The lists end from the outermost but one on, so that what they lead to is read behind their ends.
#include <stdlib.h>

int input(void);

struct inner { int value; struct inner *next; };
struct middle { struct middle *next; struct inner *list; };
struct outer { struct middle *list; struct outer *next; };

static void add_inner(struct middle *to) {
    struct inner *inner = calloc(1, sizeof *inner);
    inner->next = to->list;
    to->list = inner;
}

static void add_middle(struct outer *to) {
    struct middle *middle = calloc(1, sizeof *middle);
    do
        add_inner(middle);
    while (input());
    middle->next = to->list;
    to->list = middle;
}

static void end_inner(struct inner *list) {
    do {
        struct inner *next = list->next;
        free(list);
        list = next;
    } while (list);
}

static void end_middle(struct middle *list, int ends) {
    do {
        struct middle *next = list->next;
        if (ends)
            free(list);
        else
            end_inner(list->list);
        list = next;
    } while (list);
}

int main(void) {
    struct outer *all = 0;
    do {
        struct outer *outer = calloc(1, sizeof *outer);
        do
            add_middle(outer);
        while (input());
        outer->next = all;
        all = outer;
    } while (input());
    for (struct outer *at = all; at; at = at->next)
        end_middle(at->list, 1);
    for (struct outer *at = all; at; at = at->next)
        end_middle(at->list, 0);
    while (all) {
        struct outer *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}
