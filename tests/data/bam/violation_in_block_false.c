// expect: false
// bam-value: false
// The error is deep in functions that were entered before in other ways.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int mode = 0;

static void inner(int depth) {
    if (mode == 2 && depth == 1)
        reach_error();
}

static void outer(int depth) {
    if (depth > 0)
        inner(depth);
    else
        mode++;
}

int main(void) {
    outer(1);
    outer(0);
    outer(2);
    outer(0);
    if (__VERIFIER_nondet_int())
        outer(1);
    return 0;
}
