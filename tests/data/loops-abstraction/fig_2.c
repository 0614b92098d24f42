// expect: true
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int N = __VERIFIER_nondet_int();
    if (N < 0) return 0;
    int i = 0;
    while (i < N) {
        i = i + 1;
    }
    if (i < N) reach_error();
    return 0;
}
