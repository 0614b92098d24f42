// expect: false
// args: --loop-abstraction on
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int N = __VERIFIER_nondet_int();
    int i = 0;
    while (i < N) {
        if (i == 3) reach_error();
        i = i + 1;
    }
    return 0;
}
