// expect: false
// checks: division
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int total = __VERIFIER_nondet_int(), count = 0;
    for (int i = 0; i < 3; i++)
        if (__VERIFIER_nondet_int() > 0)
            count++;
    return total / count;
}
