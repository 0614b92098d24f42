/* A path with calls, pointers, a structure and a loop that is folded. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct account {
    int balance;
    int limit;
};

int deposits;

static void deposit(struct account *to, int amount) {
    to->balance += amount;
    deposits++;
}

int main(void) {
    struct account a = {0, 100};
    int amount = __VERIFIER_nondet_int();
    if (amount < 1 || amount > 5)
        return 0;
    for (int round = 0; round < 25; round++)
        deposit(&a, amount);
    if (a.balance > a.limit) {
        reach_error(); /* amount == 5 */
    }
    return 0;
}
