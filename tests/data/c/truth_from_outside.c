// expect: false
extern void __VERIFIER_error(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    _Bool is_set[2] = {0, __VERIFIER_nondet_bool()};
    int count = is_set[0] + is_set[1];
    if (count > 1 || count < 0)
        return 0;
    if (count == 1)
        __VERIFIER_error();
    return 0;
}
