// expect: true
// bam-value: unknown(no progress)
// Library functions that are called through pointers do what they do when they are called by name.
extern void *malloc(unsigned long);
extern void free(void *);
extern void exit(int);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }
struct hooks { void *(*get)(unsigned long); void (*put)(void *); void (*leave)(int); } hooks = {malloc, free, exit};

int main(void) {
    int *a = hooks.get(sizeof *a), *b = hooks.get(sizeof *b);
    *a = 1;
    *b = 2;
    check(a != b && *a == 1 && hooks.get == malloc);
    hooks.put(a);
    hooks.leave(0);
    reach_error();
    return 0;
}
