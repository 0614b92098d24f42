// expect: true
// args: --config predicate-bw
// predicate: true
extern void reach_error(void);

/* The case study of abstracting the call stack, without the overflow. */
void rec(int k) {
    if (k <= 0) reach_error();
    if (k < 2147483647) rec(k + 1);
}

int main(void) {
    rec(1);
    return 0;
}
