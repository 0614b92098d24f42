// expect: false
// checks: memory
extern int __VERIFIER_nondet_int(void);

const int table[2];

int main(void)
{
    int *start = (int *)table;
    start[__VERIFIER_nondet_int() & 1] = 1;
    return table[1];
}
