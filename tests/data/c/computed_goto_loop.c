// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    static void *const code[] = {&&inc, &&inc, &&dbl, &&end};
    int pc = 0, x = 0;
    goto *code[pc++];
inc: x++; goto *code[pc++];
dbl: x *= 2; goto *code[pc++];
end: check(x == 4 && pc == 4);
    return 0;
}
