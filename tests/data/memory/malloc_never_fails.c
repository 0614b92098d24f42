// expect: true
// Allocation never fails; the report says so.
extern void *malloc(unsigned long);
extern void reach_error(void);
int main(void) {
    int *p = malloc(4);
    if (!p)
        reach_error();
    return 0;
}
