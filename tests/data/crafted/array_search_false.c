// expect: false
// args: --config bmc-trace-automata
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int a[60001];

int main(void) {
    unsigned i;
    int x = __VERIFIER_nondet_int();
    for (i = 0; i < 60000; i++)
        a[i] = x;
    a[60000] = 7;
    i = 0;
    while (a[i] != 7)
        i++;
    check(i != 60000);
}
