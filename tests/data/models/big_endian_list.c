// expect: true
// environment: --endianness big
// Pointers and numbers on the heap, of which parts are read.
#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; union { unsigned value; unsigned short halves[2]; } of; };

int main(void) {
    struct node *list = 0;
    for (unsigned i = 0; i < 3; i++) {
        struct node *new = malloc(sizeof *new);
        new->of.value = 0x10000 * (i + 1) + 7;
        new->next = list;
        list = new;
    }
    unsigned sum = 0;
    while (list) {
        struct node *next = list->next;
        assert(list->of.halves[1] == 7);
        sum += list->of.halves[0];
        free(list);
        list = next;
    }
    assert(sum == 6);
    return 0;
}
