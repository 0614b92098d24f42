// expect: true
// args: --config bmc-trace-automata
extern void reach_error(void);

/* The bound lies in memory that the loop writes: no accelerator may take it for fixed. */
int main(void) {
    int a[2] = {1000, 0}, i = 0, *p = &a[0];
    while (i < a[0]) {
        *p = 3;
        i++;
    }
    if (i != 3)
        reach_error();
}
