// expect: true
// checks: memory
// That the index is inside takes an invariant.
extern int __VERIFIER_nondet_int(void);

int table[100];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    int i = 0;
    while (i < n) {
        table[i] = i;
        i++;
    }
    return 0;
}
