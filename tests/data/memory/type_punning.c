// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = 0xaabbccdd;
    unsigned char *p = (unsigned char *)&x;
    check(p[0] == 0xdd);
    p[1] = 0;
    check(x == 0xaabb00dd);
    unsigned short *q = (unsigned short *)&x;
    check(q[1] == 0xaabb);
    return 0;
}
