// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern int printk(const char *, ...);
int g = 3;
int main(void) {
    printk("%d\n", g);
    check(g == 3);
    return 0;
}
