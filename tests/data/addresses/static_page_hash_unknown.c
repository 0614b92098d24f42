// expect: unknown(bits of an address)
// checks: assertions
extern void __VERIFIER_error(void);

static unsigned hash(const void *key)
{
    unsigned long number = (unsigned long)key;
    return (unsigned)(number >> 5) * 2654435761u % 64;
}

int main(void)
{
    int key;
    if (hash(&key) == 1)
        __VERIFIER_error();
    return 0;
}
