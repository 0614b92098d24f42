// expect: true
// args: --config explicit-bfs
// value: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* A call with any number covers all others, but what it may return is more than they return. */
static int sign(int n) {
    if (n > 0) return sign(n - 1);
    return n < 0;
}

int main(void) {
    sign(__VERIFIER_nondet_int());
    if (sign(3) != 0) reach_error();
    sign(__VERIFIER_nondet_int());
    if (sign(4) != 0) reach_error();
    return 0;
}
