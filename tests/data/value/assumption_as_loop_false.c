// expect: false
// An assumption written as an endless loop: runs that it excludes must not be followed for ever.
int __VERIFIER_nondet_int(void);
void reach_error(void);

static void assume_that(int condition) {
    while (!condition) {
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    assume_that(x == 3);
    assume_that(y > x);
    if (y == 4)
        reach_error();
    return 0;
}
