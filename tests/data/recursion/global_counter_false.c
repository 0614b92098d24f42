// expect: false
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned depth;

static void walk(unsigned n) {
    depth++;
    if (n > 0) walk(n - 1);
    if (n != 3) depth--;
}

int main(void) {
    depth = __VERIFIER_nondet_uint();
    unsigned before = depth;
    walk(__VERIFIER_nondet_uint());
    if (depth != before) reach_error();
    return 0;
}
