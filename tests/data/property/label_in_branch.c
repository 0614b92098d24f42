// expect: false
// The label's statement is the branch of an `if`, and the program has an `exit` of its own.
extern int __VERIFIER_nondet_int(void);
void exit(int status) {
STOP:
    goto STOP;
}
extern int never_called(int);
int unused(void) { return never_called(1); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    int rounds = 0;
    while (x > 0 && rounds < 3) {
        if (x == 7 && rounds == 2)
            ERROR: goto ERROR;
        else
            rounds++;
        x = __VERIFIER_nondet_int();
    }
    return 0;
}
