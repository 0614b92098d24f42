// expect: false
// args: --config explicit-dfs
// value: false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* As stack_mutual.c, but the third of them sees that one was left out. */
static int turn;
static void pong(int n);

static void ping(int n) {
    if (turn != 0) reach_error();
    turn = 1;
    if (n > 0) pong(n - 1);
}

static void pong(int n) {
    if (turn != 1) reach_error();
    if (n > 0) ping(n - 1);
}

int main(void) {
    ping(__VERIFIER_nondet_int());
    return 0;
}
