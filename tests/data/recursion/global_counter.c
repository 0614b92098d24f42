// expect: true
// args: --config predicate
// predicate: true
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

/* Each call changes a global variable, and its summary relates the values before and after. */
static unsigned depth, limit = 7;

static void walk(unsigned n) {
    depth++;
    if (n > 0) walk(n - 1);
    depth--;
}

int main(void) {
    depth = __VERIFIER_nondet_uint();
    unsigned before = depth;
    walk(__VERIFIER_nondet_uint());
    if (depth != before || limit != 7) reach_error();
    return 0;
}
