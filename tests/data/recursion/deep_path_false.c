// expect: false
// harness: a trap ends the program at once
// The path to the error goes through as many nested calls as a byte has values.
extern int __VERIFIER_nondet_int(void);

static unsigned char f(unsigned char a, unsigned char b) {
    if (a == 0)
        return b;
    unsigned char t = f(a - 1, b + 1);
    if (a == 0)
        __builtin_trap();
    return t == 9 ? b : t;
}

int main(void) {
    if (f(__VERIFIER_nondet_int() & 7, 3) == 3)
        __builtin_trap();
    return 0;
}
