// expect: false
// checks: memory
// harness: the compiler puts constants where writing traps, which sanitizers tell as a crash without a place
// A cast does not make a constant object writable.
struct limits { int low, high; };
static const struct limits table[] = {{1, 2}, {3, 4}};

static void raise(struct limits *limits) {
    limits->high++;
}

int main(void) {
    struct limits own = table[1];
    raise(&own);
    raise((struct limits *)&table[own.high - 4]);
    return 0;
}
