// expect: true
// args: --config octagon --check-proof
// octagon: true
// interval: unknown(too coarse)
// What is in the queue, and what is free, are all of its places.
void reach_error(void);
int __VERIFIER_nondet_int(void);

static int used = 0, empty = 64;

static void put(void) {
    if (empty > 0) {
        empty--;
        used++;
    }
}

static void take(void) {
    if (used > 0) {
        used--;
        empty++;
    }
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put();
        else
            take();
        if (used + empty != 64)
            reach_error();
    }
    if (used > 64 || empty > 64)
        reach_error();
    return 0;
}
