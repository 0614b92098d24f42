// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = 0, n = 0;
    do {
        i++;
        if (i % 2) continue;
        n++;
    } while (i < 10);
    check(i == 10 && n == 5);
    for (i = 0; ; i++) {
        if (i == 3) break;
    }
    check(i == 3);
    return 0;
}
