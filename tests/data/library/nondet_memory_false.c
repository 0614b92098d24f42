// expect: false
// checks: assertions
// All bytes of the object may be other ones afterwards.
extern void __VERIFIER_nondet_memory(void *memory, __SIZE_TYPE__ size);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);

int main(void)
{
    struct { int kept; unsigned char bytes[4]; } it = {1, {1, 2, 3, 4}};
    __VERIFIER_nondet_memory(it.bytes, sizeof it.bytes);
    if (it.bytes[3] == 9 && it.kept == 1)
        __assert_fail("bytes[3] != 9", "nondet_memory_false.c", 0, "main");
    return 0;
}
