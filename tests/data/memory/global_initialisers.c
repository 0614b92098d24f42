// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct n { int v; struct n *next; int *in; };
extern struct n b;
struct n a = {1, &b, &b.v};
struct n b = {2, &a, &a.v};
int grid[2][3] = {{1}, {[1] = 5, 6}};
int *inside = &grid[1][1], *end = (&grid)[1][0];
char text[8] = "hey", *tail = &text[1];
int tentative; int tentative = 7; int tentative;
int main(void) {
    check(a.next->next == &a && *a.in == 2 && *b.in == 1);
    check(grid[0][0] == 1 && grid[0][1] == 0 && *inside == 5 && inside[1] == 6 && grid[1][0] == 0);
    check(end - inside == 2 && *tail == 'e' && text[5] == 0 && tentative == 7);
    return 0;
}
