// expect: false
extern int printf(const char *, ...);
extern void reach_error(void);

int main(void) {
    int length = 0, other = 0;
    printf("abc%n%d\n", &length, other);
    if (length == 3) reach_error();
    return 0;
}
