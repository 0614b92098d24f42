// expect: true
// `_Atomic` aligns an object to its size where an integer has that size (but not in arrays), and is a qualifier of what pointers lead to.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
#define SIZE(T) sizeof(struct { char c; T q; })

typedef int low __attribute__((aligned(1)));
typedef int wide __attribute__((aligned(8)));
struct two { int x[2]; };
struct three { char c[3]; };
struct many { char c[16]; };
struct packed { char c; _Atomic int i; } __attribute__((packed));
typedef _Atomic struct two atomic_two;
enum e { A };

int main(void) {
    _Atomic int i = 3;
    const _Atomic int c = 4;
    atomic_two t;
    struct { char c; atomic_two a[2]; } s;
    CHECK(_Alignof(_Atomic struct two) == 8 && SIZE(_Atomic struct two) == 16 && SIZE(_Atomic(struct two)) == 16);
    CHECK(SIZE(struct two _Atomic) == 16 && SIZE(atomic_two) == 16 && SIZE(__typeof__(t)) == 16 && sizeof s == 20);
    CHECK(SIZE(_Atomic struct three) == 4 && SIZE(_Atomic struct many) == 32 && SIZE(_Atomic char) == 2);
    CHECK(SIZE(_Atomic low) == 8 && SIZE(_Atomic wide) == 16 && SIZE(struct packed) == 6 && SIZE(_Atomic enum e) == 8);
    CHECK(_Generic(&i, int *: 10, _Atomic int *: 20) == 20 && _Generic(i, _Atomic int: 10, int: 20) == 20);
    CHECK(_Generic(&c, const int *: 1, const _Atomic int *: 2, default: 3) == 2);
    CHECK(__builtin_types_compatible_p(_Atomic int, int) && !__builtin_types_compatible_p(_Atomic int *, int *));
    __typeof__(i) copy = i;
    CHECK(_Generic(&copy, _Atomic int *: 1, default: 2) == 1);
    i += 2;
    CHECK(i++ == 5 && i == 6 && copy == 3);
    return 0;
}
