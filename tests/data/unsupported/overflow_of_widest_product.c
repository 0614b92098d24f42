// expect: unknown(unsupported: builtin)
extern void reach_error(void);
int main(void) {
    __int128 r;
    if (__builtin_mul_overflow((__int128)3, 4, &r)) reach_error();
    return 0;
}
