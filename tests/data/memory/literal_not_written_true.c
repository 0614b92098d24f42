// expect: true
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void set(char *text, int i) {
    text[i] = 'z';
}

int main(void) {
    char own[] = "ab";
    char *text = __VERIFIER_nondet_int() ? own : "cd";
    if (text == own)
        set(text, 1);
    assert(own[0] == 'a' && text[0] != 'z');
    return 0;
}
