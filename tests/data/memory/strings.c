// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

extern unsigned long strlen(const char *);
extern char *strcpy(char *, const char *);
extern char *strcat(char *, const char *);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, unsigned long);
extern char *strchr(const char *, int);
int main(void) {
    char b[16];
    strcpy(b, "ab");
    strcat(b, "cd");
    check(strlen(b) == 4 && !strcmp(b, "abcd") && strcmp("a", "b") < 0 && strcmp("\xff", "a") > 0);
    check(strncmp("abX", b, 2) == 0 && strchr(b, 'c') == b + 2 && strchr(b, 'z') == 0 && *strchr(b, 0) == 0);
    return 0;
}
