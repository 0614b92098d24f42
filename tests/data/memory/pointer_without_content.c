// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);

struct inner { int v; };
struct outer { struct inner *in; int n; };

static int run(struct outer *o) {
    while (1) {
        if (__VERIFIER_nondet_int()) goto end;
        if (!o->in) reach_error();
        if (__VERIFIER_nondet_int()) goto end;
        o->n = 2;
    }
end:
    return __VERIFIER_nondet_int();
}

int main(void) {
    struct outer *o = malloc(sizeof(struct outer));
    o->in = malloc(sizeof(struct inner));
    run(o);
    return 0;
}
