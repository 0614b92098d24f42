// expect: true
// The alignment of a typedef is that of objects of its type, also where `typeof` names it.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
#define SIZE(T) sizeof(struct { char c; T q; })

typedef int wide __attribute__((aligned(8)));
typedef int low __attribute__((aligned(1)));
struct M { char c; wide w; int k __attribute__((aligned(16))); struct { low l; }; };
wide g;
const wide constant;
low lows[2];
int aligned __attribute__((aligned(16)));
struct M m, *p = &m, a[2];
typedef __typeof__(g) again;

static void parameters(wide x, low y) { CHECK(SIZE(__typeof__(x)) == 16 && SIZE(__typeof__(y)) == 5); }

int main(void) {
    low here;
    CHECK(SIZE(__typeof__(wide)) == 16 && SIZE(__typeof__(g)) == 16 && SIZE(__typeof__((g))) == 16);
    CHECK(SIZE(__typeof__(constant)) == 16 && SIZE(again) == 16 && SIZE(__typeof__(__typeof__(g))) == 16);
    CHECK(SIZE(__typeof__(*&g)) == 16 && SIZE(__typeof__(here)) == 5);
    CHECK(SIZE(__typeof__(m.w)) == 16 && SIZE(__typeof__(p->w)) == 16 && SIZE(__typeof__(a[1].w)) == 16);
    CHECK(SIZE(__typeof__(m.l)) == 5 && SIZE(__typeof__(m.k)) == 8);
    CHECK(SIZE(__typeof__(lows)) == 9 && SIZE(__typeof__(lows[1])) == 5 && SIZE(__typeof__(*lows)) == 5);
    CHECK(SIZE(__typeof__(aligned)) == 8 && SIZE(__typeof__(g + 1)) == 8 && SIZE(__typeof__(p)) == 16);
    CHECK(SIZE(__typeof__(int __attribute__((aligned(8))))) == 16);
    CHECK(_Alignof(__typeof__(g)) == 8 && __alignof__(g) == 8 && __alignof__(m.w) == 8 && __alignof__(m.l) == 1);
    parameters(1, 2);
    return 0;
}
