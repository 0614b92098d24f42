// expect: false
// octagon: false
// The least number is its own negative, so a number and the one with the other sign are not always around zero.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = (int)(0u - (unsigned)x);
    if (x < 0 && y < 0)
        reach_error();
    return 0;
}
