// expect: true
// with: ../../parts/objects.c
// An array whose size another file knows, a tentative definition, a common type, and a function that both name by its address.
#include "../../parts/objects.h"
#include <assert.h>

extern int table[];
extern struct pair *current;
int shared;
int (*chosen(void))(int);

int main(void)
{
    shared = 3;
    assert(table[2] == 30 && sum() == 60);
    assert(current->first == 1 && current->next == current && read_shared() == 3);
    assert(chosen() == twice && chosen()(4) == 8);
    return 0;
}
