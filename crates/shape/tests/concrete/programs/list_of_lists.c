// A list whose nodes have lists of their own, which may be empty.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct inner { struct inner *next; int value; };
struct outer { struct outer *next; struct inner *list; };

int main(void)
{
    struct outer *all = 0;
    while (__VERIFIER_nondet_int()) {
        struct outer *outer = malloc(sizeof *outer);
        if (!outer)
            abort();
        outer->list = 0;
        outer->next = all;
        all = outer;
        while (__VERIFIER_nondet_int()) {
            struct inner *inner = malloc(sizeof *inner);
            if (!inner)
                abort();
            inner->value = 3;
            inner->next = outer->list;
            outer->list = inner;
        }
    }
    while (all) {
        struct outer *rest = all->next;
        struct inner *at = all->list;
        while (at) {
            struct inner *next = at->next;
            free(at);
            at = next;
        }
        free(all);
        all = rest;
    }
    return 0;
}
