// expect: false
// args: --config bmc-trace-automata
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned limits[2] = {900000, 450000}, i, j;
    for (i = 0; i < limits[0]; i++)
        ;
    for (j = 0; j < limits[1]; j++)
        i--;
    check(i != 450000);
}
