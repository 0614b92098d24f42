// expect: false
// octagon: false
// A number that does not fit into the narrow type is another one there.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 256)
        return 0;
    unsigned char c = (unsigned char)x;
    if (c < x)
        reach_error();
    return 0;
}
