// expect: false
extern void sincos(double, double *, double *);
extern void reach_error(void);

int main(void) {
    double s = 2, c = 2;
    sincos(0, &s, &c);
    if (c < 2) reach_error();
    return 0;
}
