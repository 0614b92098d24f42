extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int a; unsigned char b[4]; struct pair *next; } global = {1, {2}};
static int twice(int x) {
    return x > 0 ? twice(x - 1) + 2 : 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    double d = 0.5;
    int *p = &sum;
    for (int i = 0; i < n; i++) {
        if (i == 7 && sum > 3)
            *p += twice(i);
    }
    while (n > 0)
        n--;
    do {
        switch (sum) {
        case 3:
            reach_error();
        default:
            global.b[1] = n ? 1 : 2;
        }
    } while (0);
ERROR:
    return sum;
}
