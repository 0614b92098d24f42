// expect: false
// checks: memory
// The pointer moves by two items and jumps over the end of an array of odd length.
extern unsigned __VERIFIER_nondet_uint(void);

static int items[11];

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 11)
        return 0;
    int *end = items + n;
    for (int *p = items; p < end; p += 2)
        p[1] = 0;
    return 0;
}
