// expect: false
// As in machine_recurs.c, but the error takes two rounds of the machine.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int state = 1, round = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (state == 1) {
            state = input > 0 ? 2 : 1;
        } else if (state == 2) {
            state = input > 5 ? 3 : 2;
        } else {
            if (round == 2) __VERIFIER_error();
            if (round < 2) round++;
            state = 1;
        }
    }
}
