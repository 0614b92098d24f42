// expect: true
// checks: memory
// Jumps into blocks and out of them: what is declared there lives as long as control is inside.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int result = 0;
    for (int i = 0; i < 3; i++) {
        int inner[2] = {i, i};
        int *p = inner;
        if (p[1] == 1)
            continue;
        result += *p;
    }
    switch (__VERIFIER_nondet_int()) {
        int passed;
    case 1:
        passed = 1;
        int *q = &passed;
        result += *q;
        break;
    default:
        q = &passed;
        *q = 2;
        result += passed;
    }
    return result > 4;
}
