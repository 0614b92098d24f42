// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern void *malloc(unsigned long);
extern void free(void *);
struct node { int v; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        head = n;
    }
    int sum = 0;
    while (head) {
        struct node *n = head;
        sum += n->v;
        head = n->next;
        free(n);
    }
    check(sum == 3);
    return 0;
}
