// A circular doubly linked list through a variable.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct link { struct link *next; struct link *prev; };
struct item { struct link link; int value; };

int main(void)
{
    struct link head;
    head.next = &head;
    head.prev = &head;
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof *item);
        if (!item)
            abort();
        item->value = __VERIFIER_nondet_int();
        item->link.next = &head;
        item->link.prev = head.prev;
        head.prev->next = &item->link;
        head.prev = &item->link;
    }
    while (head.next != &head) {
        struct link *gone = head.next;
        gone->next->prev = &head;
        head.next = gone->next;
        free(gone);
    }
    return 0;
}
