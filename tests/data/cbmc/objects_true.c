// expect: true
// checks: assertions,memory
// Objects behind pointers, and memory that becomes arbitrary.
void *malloc(__CPROVER_size_t);
void free(void *);
int table[4];

int main(void)
{
    int *p = &table[1];
    char *block = malloc(8);
    __CPROVER_assume(block != 0);
    __CPROVER_assert(__CPROVER_POINTER_OFFSET(p) == 4 && __CPROVER_OBJECT_SIZE(p) == 16, "in the table");
    __CPROVER_assert(__CPROVER_same_object(p, table) && !__CPROVER_same_object(p, block), "objects");
    __CPROVER_assert(__CPROVER_POINTER_OBJECT(block + 3) == __CPROVER_POINTER_OBJECT(block), "one block");
    __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(block + 3) && !__CPROVER_DYNAMIC_OBJECT(p), "on the heap");
    __CPROVER_assert(__CPROVER_OBJECT_SIZE((char *)0) == 0, "null");
    __CPROVER_havoc_object(table);
    __CPROVER_assume(table[2] == 5);
    __CPROVER_assert(table[2] == 5, "assumed");
    free(block);
    return 0;
}
