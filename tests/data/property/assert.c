// expect: false
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    ((c * c != 49) ? (void)0 : __assert_fail("c * c != 49", "t.c", 1, "main"));
    return 0;
}
