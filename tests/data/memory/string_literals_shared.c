// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

static char text[] = "abc";
static char cut[3] = "abc";
static const char *list[] = {"x", "yz", 0};
int main(void) {
    text[0] = 'z';
    const char *lit = "abc";
    check(lit[0] == 'a' && lit[3] == 0 && text[0] == 'z' && sizeof text == 4 && cut[2] == 'c');
    int n = 0;
    for (const char **p = list; *p; p++) for (const char *q = *p; *q; q++) n++;
    check(n == 3);
    check("\x41\102C"[1] == 'B' && sizeof("\x41\102C") == 4 && "a" "b"[0] == 'a');
    return 0;
}
