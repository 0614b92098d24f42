// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);

struct inner { int v; };
struct outer { struct inner *in; int n; };

static int run(struct outer *o) {
    int n;
    while (1) {
        if (o->n == 1) {
            if (__VERIFIER_nondet_int()) goto end;
            o->in->v = 7;
            o->n = 2;
        } else if (o->n == 2) {
            if (o->in->v != 7) reach_error();
            o->n = __VERIFIER_nondet_int() ? 2 : 3;
            if (__VERIFIER_nondet_int()) goto end;
        } else goto end;
    }
end:
    return __VERIFIER_nondet_int();
}

int main(void) {
    struct outer *o = malloc(sizeof(struct outer));
    o->in = malloc(sizeof(struct inner));
    o->n = 1;
    run(o);
    return 0;
}
