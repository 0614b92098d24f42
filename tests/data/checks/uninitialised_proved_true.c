// expect: true
// checks: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int value, has_value = 0;
    _Bool flag;
    if (__VERIFIER_nondet_int()) {
        value = 3;
        has_value = 1;
    }
    flag = has_value;
    if (has_value && value > 2)
        return flag ? value : 0;
    return has_value ? value : 0;
}
