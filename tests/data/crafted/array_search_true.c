// expect: true
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int a[1000001];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    int key = __VERIFIER_nondet_int();
    __VERIFIER_assume(n <= 1000000);
    a[n] = key;
    while (i < n && a[i] != key)
        i++;
    check(i <= n && a[i] == key);
}
