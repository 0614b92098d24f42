// expect: unknown(unsupported: contract)
// environment: --entry harness --check-contract clear
// What the loop writes can't be named at its head: the pointer to it changes.
struct node { struct node *next; int value; };

void clear(struct node *first, struct node *second)
__CPROVER_requires(__CPROVER_is_fresh(first, sizeof *first) && __CPROVER_is_fresh(second, sizeof *second))
__CPROVER_requires(first->next == second && second->next == 0)
__CPROVER_assigns(first->value, second->value)
{
    struct node *at = first;
    while (at)
    __CPROVER_loop_invariant(at == first || at == second || at == 0)
    {
        at->value = 0;
        at = at->next;
    }
}

void harness(void)
{
    struct node *first, *second;
    clear(first, second);
}
