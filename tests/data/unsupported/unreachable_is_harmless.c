// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 1;
    if (x == 2) __asm__ goto ("jmp %l0" : : : : out);
out:
    check(x == 1);
    return 0;
}
