// expect: false
// environment: --entry fill --check-contract fill
// The loop writes more than its assigns clause names.
void fill(char *p)
__CPROVER_requires(__CPROVER_is_fresh(p, 8))
__CPROVER_assigns(__CPROVER_object_whole(p))
{
    for (int i = 0; i < 8; i++)
    __CPROVER_assigns(i, __CPROVER_object_upto(p, 4))
    __CPROVER_loop_invariant(0 <= i && i <= 8)
    {
        p[i] = 0;
    }
}
