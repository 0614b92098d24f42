// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

enum color { RED, GREEN = 5, BLUE };
int main(void) {
    enum color c = BLUE;
    check(c == 6);
    check(RED == 0);
    return 0;
}
