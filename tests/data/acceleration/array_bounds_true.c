// expect: true
// witness: bounds in an array of unknown content
// args: --config bmc-trace-automata
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned limits[2], i, j;
    limits[0] = __VERIFIER_nondet_uint();
    limits[1] = limits[0] / 2;
    for (i = 0; i < limits[0]; i++)
        ;
    for (j = 0; j < limits[1]; j++)
        i--;
    check(i == limits[0] - limits[1]);
}
