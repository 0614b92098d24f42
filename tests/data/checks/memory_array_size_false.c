// expect: false
// checks: memory
// harness: gcc's sanitizer looks at the sizes of arrays with another option
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        return 0;
    int all[n];
    return sizeof all > 12;
}
