// expect: false
// What is weak may be missing.
extern void reach_error(void);
extern int setting;
#pragma weak setting
int main(void) {
    if (!&setting) reach_error();
    return 0;
}
