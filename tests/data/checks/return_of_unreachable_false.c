// expect: false
// checks: return
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    switch (__VERIFIER_nondet_uint() % 4) {
    case 0:
    case 1:
        return 0;
    case 2:
        return 1;
    default:
        __builtin_unreachable();
    }
}
