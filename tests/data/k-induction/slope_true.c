// expect: true
// checks: assertions,memory
// At most four characters are written for each one that is read.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

static char out[40001];

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), written = 0;
    if (n > 10000)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int()) {
            out[written++] = 'a';
        } else {
            out[written + 3] = '1';
            written += 4;
        }
    }
    out[written] = 0;
    return 0;
}
