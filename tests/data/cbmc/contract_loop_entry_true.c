// expect: true
// environment: --entry raise --check-contract raise
// Values from before the loop, of a record; the loop says nothing of what it writes.
struct values { unsigned char a[3]; };

void raise(struct values *v)
__CPROVER_requires(__CPROVER_is_fresh(v, sizeof *v))
__CPROVER_requires(v->a[0] < 100 && v->a[1] < 100 && v->a[2] < 100)
__CPROVER_assigns(*v)
__CPROVER_ensures(v->a[2] == __CPROVER_old(*v).a[2] + 1)
{
    for (unsigned i = 0; i < 3; i++)
    __CPROVER_loop_invariant(i <= 3)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned k; (0 <= k && k < 3) ==> v->a[k] == __CPROVER_loop_entry(*v).a[k] + (k < i) })
    __CPROVER_decreases(3 - i)
    {
        v->a[i]++;
    }
}
