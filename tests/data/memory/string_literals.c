// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern unsigned long strlen(const char *);
extern int strcmp(const char *, const char *);
char g[] = "abc";
int main(void) {
    const char *s = "hello" " world";
    check(s[5] == ' ' && s[11] == 0);
    check(sizeof g == 4 && sizeof "ab" == 3);
    g[0] = 'x';
    check(strlen(g) == 3);
    check(strcmp(g, "xbc") == 0);
    char b[8] = "hi";
    check(b[2] == 0 && b[7] == 0);
    return 0;
}
