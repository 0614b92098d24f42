// Links in the middle of nodes lead to links.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct link { struct link *next; };
struct item { long key; struct link link; int value; };

int main(void)
{
    struct link *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof *item);
        if (!item)
            break;
        item->key = 12;
        item->value = __VERIFIER_nondet_int();
        item->link.next = list;
        list = &item->link;
    }
    while (list) {
        struct item *item = (struct item *)((char *)list - sizeof(long));
        list = list->next;
        if (item->key != 12)
            abort();
        free(item);
    }
    return 0;
}
