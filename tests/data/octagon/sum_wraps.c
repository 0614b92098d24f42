// expect: false
// octagon: false
// Without a bound the sum of unsigned counters wraps around, and it is less than one of them.
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned sum = a + b;
    if (a > 0 && b > 0 && sum < a)
        reach_error();
    return 0;
}
