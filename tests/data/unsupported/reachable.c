// expect: unknown(unsupported)
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    __asm__ goto ("jmp %l0" : : : : out);
    return 0;
out:
    return 1;
}
