// expect: true
// value-predicate: true
// What is known of an object on the heap is a part of the proof.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void *malloc(unsigned long);

int v = 3;

int main(void) {
    static int u = 0;
    int *h = malloc(sizeof(int));
    *h = 3;
    while (1) {
        int c = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= c && c <= 1);
        if (v + u > c) {
            *h = (unsigned)(u + c) % 5;
            if (c + c > c) u = (unsigned)(u + 1) % 4;
        } else if (*h + c != 2) {
            v = (unsigned)(v * *h) % 4;
        }
        u = (unsigned)*h % 4;
        if (*h > 0) (*h)--;
        v = (unsigned)(v + 1) % 4;
        if (u == 0 && *h == 4 && v == 2) reach_error();
    }
}
