// expect: false
// checks: memory
// Where the loop reads depends on what the roots are.
extern double sqrt(double);
extern int nondet_int(void);

int main(void)
{
    int table[10];
    int at = 0;
    while (nondet_int()) {
        int x = nondet_int();
        if (x >= 0 && x <= 100)
            at = (int)sqrt(x);
        table[at] = x;
    }
    return 0;
}
