// expect: unknown(unsupported: library function)
extern void twalk(const void *, void (*)(const void *, int, int));
extern void reach_error(void);
static int calls;
static void visit(const void *node, int order, int depth) { calls++; }

int main(void) {
    int node = 0;
    twalk(&node, visit);
    if (calls) reach_error();
    return 0;
}
