// expect: unknown(bits of an address)
// checks: assertions
// Where a linker puts the buffer, nothing says.
extern void __VERIFIER_error(void);
static char buffer[10];

int main(void)
{
    if ((unsigned long)buffer % 16 != 0)
        __VERIFIER_error();
    return 0;
}
