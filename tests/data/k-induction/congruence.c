// expect: true
// args: --config k-induction
// k-induction: true
// interval: true
// Even numbers stay even when they wrap around.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned int x = 0;
    while (__VERIFIER_nondet_int())
        x += 2;
    if (x % 2)
        reach_error();
    return 0;
}
