// expect: false
// value: false
// A write through a pointer that may mean either variable must not leave an old value behind.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int a = 1, b = 1;
    int *p = __VERIFIER_nondet_int() ? &a : &b;
    *p = 2;
    if (b == 2)
        reach_error();
    return 0;
}
