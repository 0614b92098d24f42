// expect: false
// args: --config explicit-bfs
// value: false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The last call changes what the others see behind their calls. */
static int mode;

static void down(int n) {
    if (n > 0) down(n - 1);
    else mode = 3;
}

int main(void) {
    mode = 2;
    down(__VERIFIER_nondet_int());
    if (mode != 2) reach_error();
    return 0;
}
