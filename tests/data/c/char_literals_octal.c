// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    check('\n' == 10 && '\0' == 0 && '\101' == 'A');
    check(010 == 8 && 0x10 == 16);
    check(sizeof 'a' == sizeof(int));
    return 0;
}
