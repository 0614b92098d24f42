// expect: false
extern void reach_error(void);
int main(void) {
    int *p = declared_nowhere(4);
    long address = (long)p;
    if (address == -5) reach_error();
    return 0;
}
