// expect: true
extern void __VERIFIER_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static int values[8];

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 8, j = __VERIFIER_nondet_uint() % 8;
    int *p = values + i, *q = values + j;
    if ((p < q) != (i < j) || q - p != (int)(j - i))
        __VERIFIER_error();
    return 0;
}
