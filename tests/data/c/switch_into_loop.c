// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = 0, k = 2;
    switch (k) {
    case 0: do { n++;
    case 3: n++;
    case 2: n++;
    case 1: n++;
            } while (--k > 0);
    }
    check(n == 6);
    return 0;
}
