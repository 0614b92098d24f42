// expect: false
// args: --config bmc
extern void reach_error(void);

// The register of the first call is not that of the second.
static int f(int n, int seen) {
    int x;
    if (n == 0) return x != seen;
    x = 7;
    return f(n - 1, x);
}

int main(void) {
    if (f(1, 0)) reach_error();
    return 0;
}
