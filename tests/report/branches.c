/* Every iteration has two states: the graph of a value analysis has more than 10,000 nodes. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int flag = 0;
    for (int i = 0; i < 2100; i++) {
        if (__VERIFIER_nondet_int())
            flag = 1 - flag;
        if (flag > 1)
            reach_error();
    }
    return 0;
}
