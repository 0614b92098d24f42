// expect: false
// environment: --entry harness --check-contract set
// A function that is called writes what the assigns clause does not name.
struct pair { int first, second; };

static void both(struct pair *p, int value)
{
    p->first = value;
    p->second = value;
}

void set(struct pair *p, int value)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof *p))
__CPROVER_assigns(p->first)
__CPROVER_ensures(p->first == value)
{
    both(p, value);
}

void harness(void)
{
    struct pair *p;
    set(p, 3);
}
