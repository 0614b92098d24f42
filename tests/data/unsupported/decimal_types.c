// expect: unknown(unsupported: type)
extern void reach_error(void);
typedef _Decimal64 money;
struct account { char kind; money sum; };
_Static_assert(sizeof(struct account) == 16 && sizeof(_Decimal32) == 4 && _Alignof(_Decimal128) == 16, "layout");
int main(void) {
    money m = 1.5dd;
    if (m < 1.0dd) reach_error();
    return 0;
}
