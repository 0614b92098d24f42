// expect: false
// checks: memory
extern unsigned __VERIFIER_nondet_uint(void);
static const char letters[] = "abc";

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 3;
    ((char *)letters)[i] = letters[2 - i];
    return 0;
}
