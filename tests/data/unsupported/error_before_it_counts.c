// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 9) reach_error();
    __asm__ goto ("jmp %l0" : : : : out);
out:
    return 1;
}
