// expect: true
// data-model: ILP32
// On i386, `_Atomic long long` has its full alignment in records, too.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
#define SIZE(T) sizeof(struct { char c; T q; })
typedef _Atomic long long wide;

int main(void) {
    wide x = 1;
    CHECK(SIZE(long long) == 12 && SIZE(_Atomic long long) == 16 && SIZE(wide) == 16 && SIZE(_Atomic double) == 16);
    CHECK(_Alignof(wide) == 8 && _Alignof(long long) == 4 && SIZE(__typeof__(x)) == 16);
    CHECK(sizeof(struct { char c; _Atomic long long a[2]; }) == 24 && SIZE(_Atomic long double) == 16);
    CHECK(SIZE(int *_Atomic) == 8);
    return 0;
}
