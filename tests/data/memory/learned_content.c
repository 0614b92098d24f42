// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);

struct session { int state; int hit; };

static void run(struct session *s) {
    int flag = 0;
    while (1) {
        if (s->state == 1) {
            if (s->hit) s->state = 2;
            else s->state = 3;
            flag = 0;
        } else if (s->state == 3) {
            if (s->hit) flag = 1;
            s->state = 4;
        } else if (s->state == 4) {
            if (flag == 1) reach_error();
            return;
        } else return;
    }
}
int main(void) {
    struct session *s = malloc(sizeof(struct session));
    s->state = 1;
    s->hit = __VERIFIER_nondet_int();
    run(s);
    return 0;
}
