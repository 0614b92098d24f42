// expect: false
// bam-value: false
// What a function does not touch is still known after it; what it touches through others is not.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int a = 1, b = 1;
int *which = &a;

static void deep(void) {
    if (__VERIFIER_nondet_int() == 5)
        *which = 4;
}

static void touch(void) {
    deep();
    if (which == &a)
        which = &b;
}

int main(void) {
    touch();
    touch();
    if (a == 4 && b == 4)
        reach_error();
    return 0;
}
