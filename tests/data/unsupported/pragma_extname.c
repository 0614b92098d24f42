// expect: unknown(unsupported: pragma)
extern void reach_error(void);
#pragma redefine_extname f g
#pragma redefine_extname not_used g
extern int f(void);
int g(void) { return 1; }
int main(void) {
    if (f() != 1) reach_error();
    return 0;
}
