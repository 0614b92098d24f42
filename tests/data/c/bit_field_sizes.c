// expect: true
// What has the value of a bit-field is as wide as the smallest integer that holds it, as with GCC.
extern void reach_error(void);

struct fields {
    unsigned nine : 9;
    int three : 3;
    unsigned long many : 33;
    unsigned seventeen : 17;
    _Bool one : 1;
    unsigned whole : 32;
} f;

_Static_assert(sizeof(++f.nine) == 2 && sizeof(0, f.nine) == 2 && sizeof(f.three = 1) == 1, "small ones");
_Static_assert(sizeof(f.many--) == 8 && sizeof(f.seventeen += 1) == 4 && sizeof(f.one = 0) == 1, "larger ones");
_Static_assert(sizeof(f.whole = 2) == 4 && sizeof(+f.nine) == sizeof(int), "as declared, and promoted");
_Static_assert(sizeof(+f.three) == 4 && sizeof(1 ? f.three : f.three) == 4, "promoted to int");

int main(void) {
    if (sizeof(({ f.three; })) != 1)
        reach_error();
    if ((f.nine = 0) <= -1 || f.nine != 0)
        reach_error();
    return 0;
}
