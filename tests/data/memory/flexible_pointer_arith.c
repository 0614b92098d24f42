// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct item { char tag; int value; };
int main(void) {
    struct item items[3];
    check(sizeof(struct item) == 8);
    for (int i = 0; i < 3; i++) items[i].value = i;
    struct item *p = items + 1;
    check((p + 1)->value == 2 && p[-1].value == 0);
    check(p - items == 1);
    check((char *)&p->value - (char *)p == 4);
    check(&items[2] > p);
    return 0;
}
