// expect: false
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *malloc(unsigned long);
struct s { int c; };
int main(void) {
    struct s *s = malloc(sizeof *s);
    s->c = 0;
    while (1) {
        s->c++;
        if (s->c == 8) reach_error();
    }
}
