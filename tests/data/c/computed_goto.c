// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    static void *table[] = {&&one, &&two};
    int r = 0;
    goto *table[1];
one:
    r = 1;
    goto end;
two:
    r = 2;
end:
    check(r == 2);
    return 0;
}
