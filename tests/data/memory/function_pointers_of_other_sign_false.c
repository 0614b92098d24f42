// expect: false
// Integers that a call passes and gets may differ from those of the function in their signs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned twice(unsigned n) { return 2 * n; }
static int negative(int n) { return -(n & 255); }

struct operations {
    int (*first)(int);
    unsigned (*second)(unsigned);
};

int main(void)
{
    struct operations operations = {(int (*)(int))twice, (unsigned (*)(unsigned))negative};
    int n = __VERIFIER_nondet_int();
    if (operations.first(-3) != -6)
        reach_error();
    if (operations.second((unsigned)n) > 0 && operations.second((unsigned)n) < 4294967042U)
        reach_error();
    return 0;
}
