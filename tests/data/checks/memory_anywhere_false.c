// expect: false
// checks: memory
extern void *__VERIFIER_nondet_pointer(void);
int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    if (p)
        *p = 5;
    return 0;
}
