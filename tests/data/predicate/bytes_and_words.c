// expect: true
// witness: what a word says of its bytes is no short expression in C
// args: --config predicate
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
static void check(int ok) { if (!ok) reach_error(); }

union both { int word; unsigned char byte[4]; };
int main(void) {
    union both u;
    u.word = 0x01020304;
    while (__VERIFIER_nondet_int()) u.byte[3] = 9;
    check(u.byte[0] == 4);
    return 0;
}
