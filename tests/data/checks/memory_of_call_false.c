// expect: false
// checks: memory
// harness: a sanitizer tells no place of a jump to nowhere
// To call what leads to no function is an access through a null pointer.
extern int __VERIFIER_nondet_int(void);

static int one(void)
{
    return 1;
}

int main(void)
{
    int (*number)(void) = 0;
    if (__VERIFIER_nondet_int() != 3)
        number = one;
    return number();
}
