// expect: true
// args: --config explicit-bfs
// value: true
extern void reach_error(void);

/* No call covers another one, because arguments differ; but those with equal arguments share what was found. */
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
    if (fibonacci(9) != 34) reach_error();
    return 0;
}
