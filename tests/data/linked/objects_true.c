// expect: true
// with: ../../parts/objects.c
// An array whose size another file knows, a tentative definition, a common type, a function that both name by its address, and one of a header that each has for itself.
#include "../../parts/objects.h"
#include <assert.h>

extern int table[];
extern struct pair *current;
int shared;
int (*chosen(void))(int);
int halved_sum(void);

int main(void)
{
    shared = 3;
    assert(table[2] == 30 && sum() == 60);
    assert(current->first == 1 && current->next == current && read_shared() == 3);
    assert(chosen() == twice && chosen()(4) == 8);
    assert(half(sum()) == 30 && halved_sum() == 30);
    return 0;
}
