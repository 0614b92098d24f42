// expect: true
// args: --config explicit-bfs
// value: true
extern void reach_error(void);

/* Each frame has its own instances of the variables, also of those in memory; so no call covers another one. */
static int depth;

static int walk(int n) {
    int own = 1;
    int *pointer = &own;
    if (n > 0) {
        walk(n - 1);
        if (*pointer != 1 || own != 1) reach_error();
    }
    own = 2;
    return *pointer;
}

int main(void) {
    depth = 5;
    if (walk(3) != 2 || depth != 5) reach_error();
    return 0;
}
