// expect: true
// args: --config explicit-bfs
// value: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* However deep the calls are, the first one covers the others, and nobody changes what is tracked. */
static int mode;

static void down(int n) {
    if (mode != 2) reach_error();
    if (n > 0) down(n - 1);
}

int main(void) {
    int kept = 7;
    mode = 2;
    down(__VERIFIER_nondet_int());
    if (kept != 7 || mode != 2) reach_error();
    return 0;
}
