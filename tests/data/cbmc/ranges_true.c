// expect: true
// checks: assertions,memory
// Which ranges may be accessed: of blocks with a size that is not known, of literals, of null.
typedef __CPROVER_size_t size;
void *malloc(size);
void free(void *);
size nondet_size(void);

int main(void)
{
    size n = nondet_size();
    __CPROVER_assume(0 < n && n <= 16);
    char *block = malloc(n);
    __CPROVER_assume(block != 0);
    __CPROVER_assert(__CPROVER_r_ok(block, n) && __CPROVER_w_ok(block, n), "all of it");
    __CPROVER_assert(!__CPROVER_rw_ok(block, n + 1), "no more");
    __CPROVER_assert(!__CPROVER_r_ok(block - 1, 1), "nothing before");
    __CPROVER_assert(__CPROVER_r_ok(block + n, 0), "no bytes behind");
    block[n - 1] = 1;
    free(block);
    __CPROVER_assert(!__CPROVER_r_ok(block, 1), "not after free");
    long word;
    __CPROVER_assert(__CPROVER_w_ok(&word) && !__CPROVER_w_ok(&word, 9), "by its type");
    __CPROVER_assert(__CPROVER_r_ok("ab", 3) && !__CPROVER_w_ok("ab", 1), "literals are read only");
    char *null = 0;
    __CPROVER_assert(!__CPROVER_r_ok(null, 0) && !__CPROVER_r_ok(null, 1), "null is never right");
    return 0;
}
