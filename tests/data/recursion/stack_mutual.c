// expect: true
// args: --config explicit-dfs
// value: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Two functions call each other and take turns. */
static int turn;
static void pong(int n);

static void ping(int n) {
    if (turn != 0) reach_error();
    turn = 1;
    if (n > 0) pong(n - 1);
}

static void pong(int n) {
    if (turn != 1) reach_error();
    turn = 0;
    if (n > 0) ping(n - 1);
}

int main(void) {
    ping(__VERIFIER_nondet_int());
    if (turn != 0 && turn != 1) reach_error();
    return 0;
}
