// expect: true
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void check(int ok) { if (!ok) reach_error(); }

struct p { char c; int i; short s; } __attribute__((packed));
struct q { char c; int i __attribute__((aligned(16))); };
struct b { char a; unsigned x : 12; unsigned y : 12; char z; } __attribute__((packed));
int main(void) {
    struct p p[2];
    check(sizeof p == 14 && sizeof(struct q) == 32 && __alignof__(struct q) == 16 && sizeof(struct b) == 5);
    p[1].i = 0x01020304; p[0].s = -1; p[1].c = 9;
    check(p[1].i == 0x01020304 && ((char *)p)[8] == 4 && p[0].s == -1);
    struct b b = {1, 0xabc, 0x123, 2};
    check(b.x == 0xabc && b.y == 0x123 && b.z == 2 && b.a == 1);
    return 0;
}
