// Records on the stack that have each other's addresses.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; int value; };

static int sum(struct node *list)
{
    int sum = 0;
    while (list) {
        sum += list->value & 15;
        list = list->next;
    }
    return sum;
}

int main(void)
{
    struct node a = { 0, 1 };
    struct node b = { &a, 2 };
    int total = 0;
    while (__VERIFIER_nondet_int()) {
        struct node c;
        c.next = &b;
        c.value = __VERIFIER_nondet_int();
        a.value = c.value;
        struct node *which = __VERIFIER_nondet_int() ? &c : &a;
        which->value = total;
        total = sum(&c) & 63;
        if (total > 20)
            b.next = b.next ? 0 : &a;
    }
    return total;
}
