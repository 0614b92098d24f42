// expect: true
// predicate: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned leaves;

static void grow(int height) {
    if (height == 0) {
        leaves++;
        return;
    }
    grow(height - 1);
    grow(height - 1);
}

int main(void) {
    int height = __VERIFIER_nondet_int();
    if (height < 0 || height > 20) return 0;
    leaves = 0;
    grow(height);
    if (leaves != 1u << height) reach_error();
    return 0;
}
