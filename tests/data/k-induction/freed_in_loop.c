// expect: unknown()
// k-induction: unknown()
// An object that the loop frees is gone in the next iteration.
void reach_error(void);
void *malloc(unsigned long);
void free(void *);
int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(sizeof(int));
    *p = 1;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            free(p);
        *p = 1;
        if (*p != 1)
            reach_error();
    }
    return 0;
}
