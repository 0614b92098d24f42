// Two lists that global variables have; nodes move from one to the other and back.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct node { struct node *next; int value; };

struct pool { struct node *free; struct node *used; int count; } pool;
struct node *current;

static void use(void)
{
    if (pool.free) {
        current = pool.free;
        pool.free = current->next;
    } else {
        current = malloc(sizeof *current);
        if (!current)
            abort();
    }
    current->value = 1;
    current->next = pool.used;
    pool.used = current;
    if (pool.count < 50)
        pool.count++;
}

static void give_back(void)
{
    current = pool.used;
    if (!current)
        return;
    pool.used = current->next;
    current->next = pool.free;
    pool.free = current;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            use();
        else
            give_back();
    }
    return 0;
}
