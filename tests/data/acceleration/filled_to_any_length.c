// expect: true
// witness: an invariant over all elements of an array takes a quantifier
// Constants let the loops go on up to the end of the arrays, so unwinding them takes long: acceleration has its turn in time.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

#define MOST 100000
int from[MOST], to[MOST];

int main(void)
{
    unsigned length = __VERIFIER_nondet_uint();
    if (length > MOST)
        return 0;
    for (unsigned i = 0; i < length; i++)
        to[i] = from[i] + 1;
    for (unsigned i = 0; i < length; i++)
        if (to[i] != from[i] + 1)
            reach_error();
    return 0;
}
