// expect: true
// args: --config predicate
// predicate: true
extern void reach_error(void);

/* No call returns, so nothing behind one is reached. */
static int forever(int n) { return forever(n + 1); }

int main(void) {
    if (forever(0) == 0) reach_error();
    return 0;
}
