// expect: true
// checks: memory
// No run gets to the access through null.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int *nowhere = 0;
    if (x > 3 && x < 3)
        *nowhere = 1;
    return 0;
}
