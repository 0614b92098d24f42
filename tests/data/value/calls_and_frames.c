// expect: true
// value: true
// Addresses of locals in callees, results through pointers, and a frame for each call.
void reach_error(void);
int __VERIFIER_nondet_int(void);

static void put(int *where, int what) {
    *where = what;
}

static int twice(int n) {
    int local;
    put(&local, n);
    return local + local;
}

int main(void) {
    int result[2];
    int unrelated = __VERIFIER_nondet_int();
    do {
        put(&result[0], twice(3));
        put(&result[1], twice(4));
        if (result[0] != 6 || result[1] != 8)
            reach_error();
        unrelated = __VERIFIER_nondet_int();
    } while (unrelated);
    return 0;
}
