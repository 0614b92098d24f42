// expect: false
extern long read(int, void *, unsigned long);
extern void reach_error(void);
long (*input)(int, void *, unsigned long) = read;

int main(void) {
    int x = 0;
    input(0, &x, sizeof x);
    if (x == 7) reach_error();
    return 0;
}
