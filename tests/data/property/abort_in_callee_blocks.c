// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void exit(int);
void stop(void) { exit(0); }
int main(void) {
    stop();
    reach_error();
}
