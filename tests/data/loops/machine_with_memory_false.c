// expect: false
// The registers come back at once, but memory does not.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int count[4];

int main(void) {
    while (1) {
        int i = __VERIFIER_nondet_int();
        if (i < 0 || i > 3) continue;
        count[i]++;
        if (count[2] == 5) __VERIFIER_error();
    }
}
