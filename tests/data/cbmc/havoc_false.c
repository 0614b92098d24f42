// expect: false
// All of an object becomes arbitrary, also in front of the pointer.
int table[4];

static void forget(int *p)
{
    __CPROVER_havoc_object(p);
}

int main(void)
{
    forget(&table[2]);
    __CPROVER_assert(table[0] == 0, "before");
    return 0;
}
