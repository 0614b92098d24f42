// expect: false
// args: --config bmc
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int count;

// Arguments take each other's places, and inputs are read in each call.
static int last(int a, int b, int n) {
    int input = __VERIFIER_nondet_int();
    count++;
    if (n <= 0) return a - b + input;
    return last(b, a, n - 1);
}

int main(void) {
    int result = last(1, 2, 5);
    if (result == 1 && count == 6) reach_error();
    return 0;
}
