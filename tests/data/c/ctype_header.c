// expect: true
// The system's header makes macros of these functions, which read tables.
#include <ctype.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    check(isspace('\t') && isspace(' ') && !isspace('t'));
    check(isdigit('7') && isxdigit('f') && isalpha('Q') && isalnum('0') && ispunct('?') && iscntrl('\n') && !isprint(EOF));
    check(toupper('q') == 'Q' && tolower('Q') == 'q' && toupper('?') == '?');
    int c = __VERIFIER_nondet_int();
    if (c >= 0 && c < 256) check(!isdigit(c) || (c >= '0' && c <= '9'));
    return 0;
}
