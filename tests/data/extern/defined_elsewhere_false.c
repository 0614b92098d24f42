// expect: false
// Variables that the program only declares have any value; the harness defines them.
extern unsigned gain;
extern const int offset;
extern double factor;
extern int table[4];
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int input = __VERIFIER_nondet_int();
    if (gain == 70000 && offset == -3 && factor == 2.5 && input == 9) reach_error();
    return table[1] != 0;
}
