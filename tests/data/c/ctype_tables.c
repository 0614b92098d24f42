// expect: true
// The tables behind glibc's macros, as preprocessed programs read them.
extern const unsigned short **__ctype_b_loc(void);
extern const int **__ctype_tolower_loc(void);
extern const int **__ctype_toupper_loc(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    check(((*__ctype_b_loc())['\t'] & 8192) != 0);
    check(((*__ctype_b_loc())['t'] & 8192) == 0);
    check(((*__ctype_b_loc())[-1] | (*__ctype_b_loc())[200]) == 0);
    check((*__ctype_tolower_loc())['Q'] == 'q' && (*__ctype_tolower_loc())[-128] == 128);
    check((*__ctype_toupper_loc())['q'] == 'Q' && (*__ctype_toupper_loc())[-1] == -1);
    return 0;
}
