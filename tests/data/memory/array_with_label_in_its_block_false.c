// expect: false
// checks: memory
// harness: sanitizers do not see that an array of variable length has ended
// A label in the block of an array of variable length changes nothing: the array ends with the block.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), *p = &n;
    if (n < 1 || n > 4)
        return 0;
    {
        int v[n], i = 0;
more:
        v[i] = i;
        if (++i < n)
            goto more;
        p = v;
    }
    return *p;
}
